import { statSync } from 'node:fs';

/** A plain file: a device or a pipe in its place may have no end. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
