import fs from 'node:fs';

const isLinux = process.platform === 'linux';

const commandOf = (pid: number): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Gone between listing and reading.
    return '';
  }
};

const finishes = (pid: number, folder: string): boolean => {
  const command = commandOf(pid);
  return command.includes('finish.js') && command.includes(folder);
};

const allProcesses = (): readonly number[] => (isLinux ? fs.readdirSync('/proc').map(Number).filter(Number.isInteger) : []);

/** How many processes are finishing sessions of a home in this folder; only Linux tells. */
export const finishing = (folder: string): number => allProcesses().filter((pid) => finishes(pid, folder)).length;

/** The number that the system gave to a process last. */
export const newestProcess = (): number => (isLinux ? Number(fs.readFileSync('/proc/loadavg', 'utf8').split(' ')[4]) : 0);

/** Listing all processes takes as long as reading so many. */
const FEW = 100;

/** Whether a process started after another one is finishing a session of a home in this folder: nearly every test asks, so it looks at few processes. */
export function isFinishing(folder: string, after: number): boolean {
  const count = newestProcess() - after;
  // The numbers begin anew after the highest.
  const pids = count >= 0 && count < FEW ? Array.from({ length: count }, (_, nth) => after + 1 + nth) : allProcesses();
  return pids.some((pid) => finishes(pid, folder));
}
