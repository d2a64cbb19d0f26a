import { readFileSync, statSync, type Stats } from 'node:fs';

/** A repository may be half there, unreadable or hostile: what cannot be read counts as absent. */

export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const LIMIT = 64 * 1024 * 1024;

/** The text of a regular file; a pipe or device would block, so nothing else is opened. */
export function gitFileText(path: string): string | undefined {
  const stat = statOf(path);
  if (stat === undefined || !stat.isFile() || stat.size > LIMIT) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
