import type { Md5 } from '../ports/digest.ts';

/** One spelling a path: forward slashes, none at the end. Letter case is kept. */
export const tidyPath = (path: string): string => path.replaceAll('\\', '/').replace(/\/+$/, '');

/** Twelve hex digits that stand for a folder; paths that differ in letter case share them. */
export const projectHash = (path: string, md5: Md5): string => md5(tidyPath(path.toLowerCase())).slice(0, 12);
