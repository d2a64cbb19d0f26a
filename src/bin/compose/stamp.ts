import { statSync } from 'node:fs';

/** What is compared: all that changes with a file, only that it is the same file or folder, or what a database holds. */
type Kind = 'file' | 'same' | 'data';

/** A path, and what it was when something was made from it. */
export type Stamp = readonly [path: string, kind: Kind, state: string];

function stateOf(path: string, kind: Kind): string {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    if (kind === 'same') return `${dev}:${ino}`;
    // An empty write-ahead log comes and goes with whoever looks into the database.
    if (kind === 'data') return size === 0 ? '' : `${size}:${mtimeMs}`;
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    return '';
  }
}

export const stampOf = (path: string, kind: Kind): Stamp => [path, kind, stateOf(path, kind)];

export const holds = (stamps: readonly Stamp[]): boolean => stamps.every(([path, kind, state]) => stateOf(path, kind) === state);

/** Whether no file has been changed since: one that was written a moment ago may be written again within one tick of its clock. A database follows files. */
export const isSettled = (stamps: readonly Stamp[], since: number): boolean =>
  stamps.every(([path, kind, state]) => {
    const found = kind !== 'file' || state === '' ? undefined : statSync(path, { throwIfNoEntry: false });
    return found === undefined || (found.ctimeMs < since && found.mtimeMs < since);
  });
