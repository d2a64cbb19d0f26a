/** The disk operations for making folders. */
export interface FolderDisk {
  make(folder: string): void;
  isFolder(path: string): boolean;
  exists(path: string): boolean;
  above(path: string): string;
}

/** Makes a folder and those above it. Node's own way never ends where a system refuses a name as missing, as /proc does. */
export function makeFolders(folder: string, disk: FolderDisk): void {
  // An exception for an existing folder costs more than a check.
  if (disk.isFolder(folder)) return;
  try {
    disk.make(folder);
  } catch (cause) {
    if (disk.isFolder(folder)) return;
    const parent = disk.above(folder);
    if (parent === folder) throw cause;
    // Another process may have made the parent between the two looks.
    if (disk.exists(parent)) return makeOnce(folder, disk);
    makeFolders(parent, disk);
    makeFolders(folder, disk);
  }
}

function makeOnce(folder: string, disk: FolderDisk): void {
  try {
    disk.make(folder);
  } catch (cause) {
    if (!disk.isFolder(folder)) throw cause;
  }
}
