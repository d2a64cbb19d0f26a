import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';

const CHUNK = 1 << 20;
/** What is larger is no source file, and not worth the time of a save. */
const LARGEST = 64 << 20;

function feed(path: string, size: number, take: (bytes: Buffer) => void): boolean {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) return false;
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, size)));
    let left = size;
    while (left > 0) {
      const read = readSync(file, buffer, 0, Math.min(left, buffer.length), null);
      if (read === 0) return false;
      take(buffer.subarray(0, read));
      left -= read;
    }
    return readSync(file, buffer, 0, 1, null) === 0;
  } finally {
    closeSync(file);
  }
}

/** The id git gives to a file's content, as `git hash-object --no-filters` does; undefined for what is no file. */
export function blobHash(path: string, algorithm: 'sha1' | 'sha256' = 'sha1'): string | undefined {
  // Loaded when first needed, since it costs a tenth of a process's start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true) {
      const target = readlinkSync(path, 'buffer');
      return createHash(algorithm).update(`blob ${target.length}\0`).update(target).digest('hex');
    }
    if (stat?.isFile() !== true || stat.size > LARGEST) return undefined;
    const hash = createHash(algorithm).update(`blob ${stat.size}\0`);
    // A file that grows or shrinks meanwhile has no one content to speak of.
    return feed(path, stat.size, (bytes) => hash.update(bytes)) ? hash.digest('hex') : undefined;
  } catch {
    return undefined;
  }
}
