import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';

/** A repository may be half there, unreadable or hostile: what cannot be read counts as absent. */

let isAnswering: (path: string) => boolean = () => true;

/** Says which paths may be touched: a `.git` file can name a folder on a mount that hangs. */
export function setMountCheck(check: (path: string) => boolean): void {
  isAnswering = check;
}

/** The real path of what is there; the path itself where nothing is, or where nothing answers. */
export function real(path: string): string {
  try {
    return isAnswering(path) ? realpathSync.native(path) : path;
  } catch {
    return path;
  }
}

export function statOf(path: string): Stats | undefined {
  try {
    return isAnswering(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  } catch {
    return undefined;
  }
}

const LIMIT = 64 * 1024 * 1024;
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The text of a regular file. A pipe or a device is not opened, and no more is read than the file says it holds: a file of the kernel says 0 and has no end. */
export function gitFileText(path: string): string | undefined {
  if (statOf(path)?.isFile() !== true) return undefined;
  try {
    const handle = openSync(path, FLAGS);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile() || stats.size > LIMIT) return undefined;
      const bytes = Buffer.allocUnsafe(stats.size);
      return bytes.toString('utf8', 0, readSync(handle, bytes, 0, stats.size, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
