import { opendirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { FILES_LOOKED_AT, READ_MS } from '../../../core/limits.ts';
import { elapsedMs, isAnswering } from './mounts.ts';
import { findOutside, realFolder } from './path.ts';

export interface WalkOptions {
  /** Whether a folder of this name is looked into. */
  readonly enters?: (name: string) => boolean;
  readonly most?: number;
  readonly withinMs?: number;
}

interface Room {
  /** Entries that may still be looked at. */
  left: number;
  readonly until: number;
}

/** Deeper than any project that people work in. */
const DEEPEST = 64;

/** Regular files below a folder, as paths relative to it with forward slashes, in order; links are passed over, and so is what comes after the most, or too late. */
export function* filesOutside(
  folder: string,
  path = '',
  { enters = () => true, most = FILES_LOOKED_AT, withinMs = READ_MS }: WalkOptions = {},
): Generator<string> {
  const room = { left: most, until: elapsedMs() + withinMs };
  if (!isAnswering(folder)) return;
  if (path !== '' && !isPlainFolder(folder, path)) return;
  yield* below(realFolder(folder), path, enters, room, 0);
}

/** Whether a folder of this path is really there. */
export function isPlainFolder(folder: string, path: string): boolean {
  const found = findOutside(folder, path);
  return found.ok && found.value.stats?.isDirectory() === true;
}

function* below(folder: string, path: string, enters: (name: string) => boolean, room: Room, depth: number): Generator<string> {
  for (const entry of entriesIn(join(folder, path), room).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) yield at;
    else if (entry.isDirectory() && depth < DEEPEST && enters(entry.name)) yield* below(folder, at, enters, room, depth + 1);
  }
}

/** The entries of a folder, up to the limit; none if the folder may not be read. */
function entriesIn(folder: string, room: Room): readonly Dirent[] {
  const found: Dirent[] = [];
  try {
    const opened = opendirSync(folder);
    try {
      for (let entry = opened.readSync(); entry && room.left > 0 && elapsedMs() <= room.until; entry = opened.readSync()) {
        room.left -= 1;
        found.push(entry);
      }
    } finally {
      opened.closeSync();
    }
  } catch {
    return found;
  }
  return found;
}
