import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FILE_BYTES } from '../../core/limits.ts';
import { ownFile } from './outside/own.ts';
import { readOutside } from './outside/read.ts';

/** A text file of the user's own as UTF-8; undefined where there is none. */
export async function readTextFile(file: string): Promise<string | undefined> {
  const place = ownFile(file);
  const read = place.ok ? readOutside(place.value.folder, place.value.path, FILE_BYTES.memory) : place;
  if (read.ok) return read.value.bytes.toString('utf8');
  if (read.error.missing === true) return undefined;
  throw new Error(read.error.message);
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
