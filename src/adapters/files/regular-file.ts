import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readdirSync, type Stats } from 'node:fs';
import { join, dirname } from 'node:path';
import { FILES_LOOKED_AT, FILE_BYTES } from '../../core/limits.ts';
import type { FileState, SkippedFile } from '../../core/ports/store.ts';
import { ioFailure } from './durable.ts';
import { ownFile } from './outside/own.ts';
import { readOutside } from './outside/read.ts';

/** A cast, because Node's types allow numeric flags only for some functions. */
const READ_FLAGS = (constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)) as unknown as string;

export interface ReadText extends FileState {
  readonly text: string;
  /** Bytes that are not text and would be lost in a string. */
  readonly bytes?: Buffer;
}

/** Why an existing file is not read. */
function whySkipped(stats: Stats, limit: number): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (!stats.isFile()) return stats.isDirectory() ? 'it is a folder' : 'it is not a regular file';
  return stats.size > limit ? `it is larger than ${limit / 1024 / 1024} MB` : undefined;
}

/** Makes few system calls, because a start reads some twenty files. A file replaced between them counts as changed at the next check. */
export function readRegularText(file: string, limit: number): ReadText | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats || whySkipped(stats, limit) !== undefined) return undefined;
  const { mtimeMs, size } = stats;
  const text = readFileSync(file, { encoding: 'utf8', flag: READ_FLAGS });
  if (!text.includes('\uFFFD')) return { text, mtimeMs, size };
  const { bytes, state } = readRegularBytes(file);
  return { ...state, text: bytes.toString('utf8'), bytes };
}

export function readRegularBytes(file: string): { readonly bytes: Buffer; readonly state: FileState } {
  const handle = openSync(file, READ_FLAGS);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    const { mtimeMs, size } = stats;
    return { bytes: readFileSync(handle), state: { mtimeMs, size } };
  } finally {
    closeSync(handle);
  }
}

export function undefinedIfMissing(cause: unknown, file: string): undefined {
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw ioFailure(cause, `cannot read ${file}`);
}

/** The file's stats; undefined if it does not exist, also where a clone has a file in place of its folder. */
export function statIfExists(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    return undefinedIfMissing(cause, file);
  }
}

/** The entries of a memory's folder that Holdfast skips, with the reason. */
export function skippedIn(folder: string, isOwn: boolean, limit: number): readonly SkippedFile[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.flatMap(({ name }): SkippedFile[] => {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    const why = stats && whySkipped(stats, limit);
    return why === undefined ? [] : [{ name, why }];
  });
  const most = isOwn ? Number.POSITIVE_INFINITY : FILES_LOOKED_AT;
  return entries.length > most ? [...files, { name: '', why: `it has ${entries.length} files, and Holdfast reads only ${most}` }] : files;
}

/** The text of one of the user's own files; undefined if it does not exist. */
export async function readTextFile(file: string): Promise<string | undefined> {
  const place = ownFile(file);
  const read = place.ok ? readOutside(place.value.folder, place.value.path, FILE_BYTES.memory) : place;
  if (read.ok) return read.value.bytes.toString('utf8');
  if (read.error.missing === true) return undefined;
  throw new Error(read.error.message);
}

/** Why a file could not be written, without writing it; undefined when it could. */
export function whyUnwritable(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || folder === dirname(folder)) return (cause as Error).message;
    }
  }
}
