import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type FolderDisk, makeFolders } from '../../core/ports/make-folders.ts';
import { Failure, isFailure } from '../../core/failure.ts';

/** Writing so that a crash leaves either the old file or the new one, and an acknowledged write is on the disk. */

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** As git creates files: the user's umask decides who else can read them. */
const CHECKOUT_FILE_MODE = 0o666;
const CHECKOUT_FOLDER_MODE = 0o777;

const diskWith = (mode: number): FolderDisk => ({
  make: (folder) => mkdirSync(folder, { mode }),
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  exists: existsSync,
  above: dirname,
});

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'free some disk space and try again; nothing was changed',
  EDQUOT: 'the disk quota is used up; nothing was changed',
  EROFS: 'the file system is read-only; point --home at a folder you can write',
  EACCES: 'check the permissions of the folder, or point --home elsewhere',
  EPERM: 'check the permissions of the folder, or point --home elsewhere',
  ENOTDIR: 'a file stands where a folder is needed; move it away',
  EFBIG: 'the file would be too large for this file system; nothing was changed',
};

export function ioFailure(cause: unknown, operation: string): Failure {
  if (isFailure(cause)) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  const hint = REASONS[code];
  return new Failure('IO_ERROR', `${operation}: ${(cause as Error).message}`, hint === undefined ? { cause } : { hint, cause });
}

/** On a read-only disk Node reports ENOENT for a recursive mkdir, so ask the nearest folder that exists for the real error. */
function folderError(cause: unknown, folder: string): unknown {
  if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return cause;
  const parent = dirname(folder);
  if (!existsSync(parent)) return parent === folder ? cause : folderError(cause, parent);
  try {
    accessSync(parent, constants.W_OK);
  } catch (refused) {
    return refused;
  }
  return cause;
}

/** Throws the system's own error: hooks do not show it. */
export const makeFolderQuietly = (folder: string, inCheckout = false): void => makeFolders(folder, diskWith(inCheckout ? CHECKOUT_FOLDER_MODE : FOLDER_MODE));

export function makeFolder(folder: string, inCheckout = false): void {
  try {
    makeFolderQuietly(folder, inCheckout);
  } catch (cause) {
    throw ioFailure(folderError(cause, folder), `cannot create ${folder}`);
  }
}

/** Makes a rename or a new name in a folder survive a power cut. Windows has no such call and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function writeAll(file: string, text: string | Buffer, flags: string, durable: boolean, mode = FILE_MODE): void {
  const handle = openSync(file, flags, mode);
  try {
    writeFileSync(handle, text);
    if (durable) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export interface ReplaceOptions {
  /** A copy keeps its original's time. */
  readonly mtimeMs?: number | undefined;
  /** Whether the file belongs to a repository: it keeps its mode, and a new one gets what git would give it. */
  readonly inCheckout?: boolean;
}

/** Replaces `file` by way of `temporary`, which lies on the same file system. */
export function replaceFile(
  file: string,
  text: string | Buffer,
  temporary: string,
  durable: boolean,
  { mtimeMs, inCheckout = false }: ReplaceOptions = {},
): void {
  const folder = dirname(file);
  try {
    makeFolder(folder, inCheckout);
    // Checked first, because `rmSync` makes Node load another of its modules.
    if (lstatSync(temporary, { throwIfNoEntry: false })) rmSync(temporary, { force: true });
    const mode = inCheckout ? (lstatSync(file, { throwIfNoEntry: false })?.mode ?? CHECKOUT_FILE_MODE) & 0o777 : FILE_MODE;
    writeAll(temporary, text, 'wx', durable, mode);
    if (mtimeMs !== undefined) utimesSync(temporary, mtimeMs / 1_000, mtimeMs / 1_000);
    renameSync(temporary, file);
    if (durable) syncFolder(folder);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw ioFailure(cause, `cannot write ${file}`);
  }
}

export function appendLine(file: string, line: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  try {
    writeAll(file, line, 'a', true);
  } catch (cause) {
    if (existsSync(file)) truncateSync(file, size);
    throw ioFailure(cause, `cannot append to ${file}`);
  }
}

export function removeFile(file: string, andEmptyFolder = false): void {
  const folder = dirname(file);
  try {
    rmSync(file, { force: true });
    syncFolder(folder);
    if (andEmptyFolder && readdirSync(folder).length === 0) rmdirSync(folder);
  } catch (cause) {
    throw ioFailure(cause, `cannot remove ${file}`);
  }
}
