import { opendirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { FILES_LOOKED_AT, READ_MS } from '../../../core/limits.ts';
import { elapsedMs, isAnswering } from './mounts.ts';
import { findOutside, realFolder } from './path.ts';

export interface WalkOptions {
  /** Whether to enter a folder of this name. */
  readonly enters?: (name: string) => boolean;
  readonly most?: number;
  readonly withinMs?: number;
}

interface Budget {
  /** Entries that may still be read. */
  remaining: number;
  readonly until: number;
}

/** Deeper than any real project. */
const DEEPEST = 64;

/** Regular files below a folder, in order, as relative paths with forward slashes. Skips links; stops at the limit of files or time. */
export function* filesOutside(
  folder: string,
  path = '',
  { enters = () => true, most = FILES_LOOKED_AT, withinMs = READ_MS }: WalkOptions = {},
): Generator<string> {
  const budget = { remaining: most, until: elapsedMs() + withinMs };
  if (!isAnswering(folder)) return;
  if (path !== '' && !isPlainFolder(folder, path)) return;
  yield* below(realFolder(folder), path, enters, budget, 0);
}

/** Whether a folder of this path is really there. */
export function isPlainFolder(folder: string, path: string): boolean {
  const location = findOutside(folder, path);
  return location.ok && location.value.stats?.isDirectory() === true;
}

function* below(folder: string, path: string, enters: (name: string) => boolean, budget: Budget, depth: number): Generator<string> {
  for (const entry of entriesIn(join(folder, path), budget).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) yield at;
    else if (entry.isDirectory() && depth < DEEPEST && enters(entry.name)) yield* below(folder, at, enters, budget, depth + 1);
  }
}

/** The entries of a folder, up to the limit; none if the folder may not be read. */
function entriesIn(folder: string, budget: Budget): readonly Dirent[] {
  const entries: Dirent[] = [];
  try {
    const opened = opendirSync(folder);
    try {
      for (let entry = opened.readSync(); entry && budget.remaining > 0 && elapsedMs() <= budget.until; entry = opened.readSync()) {
        budget.remaining -= 1;
        entries.push(entry);
      }
    } finally {
      opened.closeSync();
    }
  } catch {
    return entries;
  }
  return entries;
}
