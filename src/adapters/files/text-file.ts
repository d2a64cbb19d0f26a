import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Far above what anyone writes by hand. */
const LIMIT = 16 * 1024 * 1024;

/** A text file as UTF-8; undefined where there is none. */
export async function readTextFile(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new Error('it is not a file');
      if (stat.size > LIMIT) throw new Error(`it is larger than ${LIMIT / 1024 / 1024} MB`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw cause;
  }
}

/** Why a file could not be written, without writing it; undefined when it could. */
export async function whyUnwritable(file: string): Promise<string | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || folder === dirname(folder)) return (cause as Error).message;
    }
  }
}
