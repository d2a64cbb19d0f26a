import { statSync } from 'node:fs';

/** A plain file: a device or a pipe in place of a transcript may have no end. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
