import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type FolderDisk, makeFolders } from '../../core/ports/make-folders.ts';

const DISK: FolderDisk = {
  make: (folder) => mkdirSync(folder, { mode: 0o700 }),
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  exists: existsSync,
  above: dirname,
};

/** Makes the folder that a database is to lie in. */
export const makeFolderOf = (file: string): void => makeFolders(dirname(file), DISK);
