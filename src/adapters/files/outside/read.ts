import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { READ_MS } from '../../../core/limits.ts';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { ioFailure } from '../durable.ts';
import { elapsedMs } from './mounts.ts';
import { findOutside, isStillAt, type OutsidePath } from './path.ts';

interface FileTime {
  readonly mtimeMs: number;
}

export interface OutsideFile extends FileTime {
  readonly bytes: Buffer;
}

/** Windows has neither flag; there the check of every part of the path has to do. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a regular file of at most `limit` bytes below a folder, following no link and for no longer than `withinMs`. */
export function readOutside(folder: string, path: string, limit: number, withinMs = READ_MS): Result<OutsideFile> {
  const location = findOutside(folder, path);
  if (!location.ok) return location;
  const { file, stats } = location.value;
  if (!stats) return missing(file);
  // A pipe or a device is not even opened: opening some has effects.
  if (!stats.isFile()) return refuse('INPUT_ERROR', `${file} is not a regular file`);
  try {
    return readOpened(location.value, limit, elapsedMs() + withinMs);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return missing(file);
    if (code === 'ELOOP') return refuse('SECURITY_ERROR', `${file} is a symbolic link`);
    throw ioFailure(cause, `cannot read ${file}`);
  }
}

/** The text of such a file; undefined if it cannot be read. */
export function textOutside(folder: string, path: string, limit: number): (FileTime & { readonly text: string }) | undefined {
  try {
    const read = readOutside(folder, path, limit);
    return read.ok ? { text: read.value.bytes.toString('utf8'), mtimeMs: read.value.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

function readOpened(location: OutsidePath, limit: number, until: number): Result<OutsideFile> {
  const handle = openSync(location.file, FLAGS);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return refuse('INPUT_ERROR', `${location.file} is not a regular file`);
    if (!isStillAt(location, stats)) return refuse('SECURITY_ERROR', `${location.file} was replaced while it was read`);
    const bytes = stats.size > limit ? undefined : bytesOf(handle, stats.size, limit, until);
    if (bytes === 'too slow') return refuse('READ_ERROR', `${location.file} takes too long to read`, { hint: 'try again when its file system is faster' });
    if (!bytes) return refuse('INPUT_ERROR', `${location.file} is larger than ${formatSize(limit)}`, { hint: 'make it smaller, or move it away' });
    return ok({ bytes, mtimeMs: stats.mtimeMs });
  } finally {
    closeSync(handle);
  }
}

/** Bytes a read: the time limit is checked between two reads. */
const CHUNK = 256 * 1024;

/** A file's reported size is only a first guess: a file that grows is read up to the limit. */
function bytesOf(handle: number, expected: number, limit: number, until: number): Buffer | 'too slow' | undefined {
  let buffer = Buffer.allocUnsafe(Math.min(expected, limit) + 1);
  for (let length = 0; ;) {
    if (elapsedMs() > until) return 'too slow';
    const read = readSync(handle, buffer, length, Math.min(buffer.length - length, CHUNK), null);
    length += read;
    if (length > limit) return undefined;
    if (read === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, limit + 1));
  }
}

const missing = (file: string): Result<never> => refuse('NOT_FOUND', `${file} does not exist`, { missing: true });

const formatSize = (bytes: number): string => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${Math.round(bytes / 1024)} KB`);
