import { readFileSync } from 'node:fs';
import type { Processes, RunningProcess, Timers } from '../../core/ports/host.ts';

/** When a process began, as the system counts it, where that is cheap to know. */
function beginOf(pid: number): string {
  try {
    // The name of the program, in parentheses, may hold anything.
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
