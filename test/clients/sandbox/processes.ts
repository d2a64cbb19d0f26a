import { readdirSync, readFileSync } from 'node:fs';

/** A process that was started in a sandbox, known by the marker in its environment, with any parent. */
export interface Started {
  readonly pid: number;
  readonly command: string;
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Gone between listing and reading.
    return '';
  }
};

/** Every living process whose environment carries the marker. Only Linux tells. */
export const processesWith = (marker: string): readonly Started[] => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).split('\0').includes(marker))
    .map((name) => ({ pid: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim() }));
};

export const stop = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** The process that started a process, 0 when either is gone. */
export const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

/** Resident memory of a process in bytes, 0 when it is gone. */
export const residentBytes = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;

/** Whether a process computes, or waits for a processor. */
export const isBusy = (pid: number): boolean => /^State:\s+[RD]/m.test(read(`/proc/${pid}/status`));
