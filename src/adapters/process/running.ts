import { readFileSync } from 'node:fs';
import type { Processes, RunningProcess, Timers } from '../../core/ports/host.ts';

/** The start time of a process in the system's units; empty where it is not cheap to read. */
function beginOf(pid: number): string {
  try {
    // Splits after the program's name, which is in parentheses and may hold any character.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1)?.split(' ')[20] ?? '';
  } catch {
    return '';
  }
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const processOf = (pid: number): RunningProcess => ({ pid, began: beginOf(pid) });

export const processes: Processes = {
  get self() {
    return processOf(process.pid);
  },
  get parent() {
    return processOf(process.ppid);
  },
  isRunning: ({ pid, began }) => Number.isInteger(pid) && pid > 0 && hasProcess(pid) && began === beginOf(pid),
};

export const timers: Timers = {
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};
