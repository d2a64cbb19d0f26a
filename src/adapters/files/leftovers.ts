import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Leftover, Leftovers } from '../../core/ports/staging.ts';
import { ioFailure } from './durable.ts';
import { MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from './home-layout.ts';

/** The names of Holdfast's files in a shared staging folder such as /tmp. */
const STAGED_NAME = /^\.memory-(?:triage-context|draft|verdict|sources|write-pending)\b/;

/** Windows has no user ids; there the folder's own protection has to do. */
export const belongsToUser = (stats: Stats): boolean => process.getuid === undefined || stats.uid === process.getuid();

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return [];
    throw ioFailure(cause, `cannot list ${folder}`);
  }
}

/** A folder or a file with all that is in it; links are counted and not followed. */
function leftoverAt(path: string, stats: Stats): Leftover {
  if (!stats.isDirectory()) return { path, files: 1, bytes: stats.size, touched: stats.mtimeMs };
  const inside = namesIn(path).flatMap((name) => {
    const entry = lstatSync(join(path, name), { throwIfNoEntry: false });
    return entry === undefined ? [] : [leftoverAt(join(path, name), entry)];
  });
  return {
    path,
    files: inside.reduce((sum, { files }) => sum + files, 0),
    bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
    touched: Math.max(stats.mtimeMs, ...inside.map(({ touched }) => touched)),
  };
}

/** Staged files that were left behind: whole session folders in the private folder, but in a shared folder only files with Holdfast's names. */
export class StagedLeftovers implements Leftovers {
  readonly #folder: string;
  readonly #isPrivate: boolean;

  constructor(folder: string, isPrivate: boolean) {
    this.#folder = resolve(folder);
    this.#isPrivate = isPrivate;
  }

  async olderThan(instant: number): Promise<readonly Leftover[]> {
    const leftovers = namesIn(this.#folder).flatMap((name) => {
      const path = join(this.#folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || !belongsToUser(stats)) return [];
      const isStaged = stats.isFile() ? this.#isPrivate || STAGED_NAME.test(name) : this.#isPrivate && stats.isDirectory();
      return isStaged ? [leftoverAt(path, stats)] : [];
    });
    return leftovers.filter(({ touched }) => touched < instant).toSorted((a, b) => a.touched - b.touched);
  }

  async remove({ path }: Leftover): Promise<void> {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (cause) {
      throw ioFailure(cause, `cannot remove ${path}`);
    }
  }
}

/** Removes what versions before 0.2 kept for the start of a session. */
export function removeOldState(home: string, state: string): void {
  const old = [
    ...['ahead', 'served', 'owed'].map((name) => join(home, 'holdfast', name)),
    ...['injections.pending', 'feedback.said', 'finishing', 'embedding'].map((name) => join(state, name)),
  ];
  for (const path of old) rmSync(path, { recursive: true, force: true });
}

/** Removes the vectors of all projects and of the user's own memory, whichever embedder made them. */
export function removeVectors(home: string): void {
  const { ownState, userState } = placesIn(home);
  const projects = join(ownState, 'projects');
  const states = [userState, ...namesIn(projects).map((name) => join(projects, name))];
  const files = states.flatMap((state) => [VECTORS_FILE, MESSAGE_VECTORS_FILE].map((name) => join(state, name)));
  for (const file of files) for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
