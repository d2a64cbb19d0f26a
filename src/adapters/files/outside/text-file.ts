import { join } from 'node:path';
import type { TextFile } from '../../../core/ports/client-files.ts';
import { ok, refuse } from '../../../core/result.ts';
import { readOutside } from './read.ts';
import { removeOutside, writeOutside } from './write.ts';

/** A text file of at most `limit` bytes below a folder; no link is followed. */
export function textFileOutside(folder: string, name: string, limit: number): TextFile {
  const path = join(folder, name);
  return {
    path,
    read: () => {
      const read = readOutside(folder, name, limit);
      if (!read.ok) return read.error.missing === true ? ok('') : read;
      const text = read.value.bytes.toString('utf8');
      if (!read.value.bytes.equals(Buffer.from(text))) return refuse('INPUT_ERROR', `${path} is not UTF-8`, { hint: 'save it as UTF-8; nothing was changed' });
      return ok(text);
    },
    write: (text) => writeOutside(folder, name, text),
    remove: () => removeOutside(folder, name),
  };
}
