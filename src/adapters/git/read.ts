import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';

/** A repository may be incomplete, unreadable or hostile: a file that cannot be read counts as absent. */

let isAnswering: (path: string) => boolean = () => true;

/** Sets the check of a path before it is opened: a `.git` file can name a folder on a mount that hangs. */
export function setMountCheck(check: (path: string) => boolean): void {
  isAnswering = check;
}

/** The path with links resolved; unchanged if it does not exist or its file system does not answer. */
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

/** The text of a regular file. Does not open pipes or devices, and reads no more than the reported size: files of the kernel report 0 and have no end. */
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
