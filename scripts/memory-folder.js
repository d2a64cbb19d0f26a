import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** A folder is named after the process that made it, so that the next run removes those of runs that were killed. */
const PREFIX = 'holdfast-';
/** The tests of one run hold less than a tenth of this at any time. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Free memory in a file system that keeps it there and may run programs. */
function hasRoom() {
  const [, , type, options = ''] =
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, point]) => point === MEMORY) ?? [];
  if (type !== 'tmpfs' || /(?:^|,)(?:ro|noexec)(?:,|$)/.test(options)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES;
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (Number.isInteger(pid) && (pid === process.pid || !isRunning(pid))) rmSync(path.join(MEMORY, name), { recursive: true, force: true });
  }
}

/**
 * A folder in memory for the files of tests, where they take three quarters of the processor time that a disk takes: its file system searches longer and
 * longer for a free entry when thousands of files come and go. Undefined where there is none; then the tests use the folder for temporary files.
 */
export function memoryFolder() {
  if (process.platform !== 'linux') return undefined;
  try {
    if (!hasRoom()) return undefined;
    removeLeftovers();
    const folder = path.join(MEMORY, `${PREFIX}${process.pid}`);
    mkdirSync(folder);
    // Some tests run programs as another user.
    chmodSync(folder, 0o755);
    return folder;
  } catch (error) {
    console.warn(`the tests use no memory for their files: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
