import type { Md5 } from '../ports/digest.ts';

/** One spelling a path: forward slashes, none at the end. Letter case is kept. */
export const tidyPath = (path: string): string => path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');

/** No system opens a longer path, so nothing lies there. */
const LONGEST_PATH = 4096;

/** The nearest folder whose path can exist: a hook or a transcript may name one of any length. */
export function possiblePath(path: string): string {
  if (path.length <= LONGEST_PATH) return path;
  const cut = path.slice(0, LONGEST_PATH);
  return cut.slice(0, Math.max(1, cut.lastIndexOf('/'), cut.lastIndexOf('\\')));
}

/** Twelve hex digits that stand for a folder; paths that differ in letter case share them. */
export const hashProjectPath = (path: string, md5: Md5): string => md5(tidyPath(path.toLowerCase())).slice(0, 12);
