import { lstatSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { ConfigFiles } from '../../core/config/effective.ts';
import type { Level } from '../../core/config/spec.ts';
import { Failure } from '../../core/failure.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { Refusal, Result } from '../../core/result.ts';
import { ownFile, type FolderAndName } from './outside/own.ts';
import { readOutside } from './outside/read.ts';
import { writeOutside } from './outside/write.ts';

/** The user's files may be linked by the user; the shared one came with a clone, as <checkout>/.claude/memory/ and its name. */
function placeOf(level: Level, file: string): Result<FolderAndName> {
  if (level !== 'shared') return ownFile(file);
  const checkout = dirname(dirname(dirname(file)));
  return { ok: true, value: { folder: checkout, path: relative(checkout, file) } };
}

const failure = ({ message, hint }: Refusal, file: string): Failure =>
  new Failure('READ_ERROR', message.includes(file) ? message : `${file}: ${message}`, hint === undefined ? {} : { hint });

function textOf(level: Level, file: string): string | undefined {
  // Most settings have no file, and an exception costs more than a check.
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined;
  const place = placeOf(level, file);
  const read = place.ok ? readOutside(place.value.folder, place.value.path, FILE_BYTES.settings) : place;
  if (read.ok) return read.value.bytes.toString('utf8');
  if (read.error.missing === true) return undefined;
  throw failure(read.error, file);
}

/** The settings' files of one project and its user. */
export function configFiles(places: Readonly<Partial<Record<Level, string>>>): ConfigFiles {
  return {
    place: (level) => places[level],
    read: (level) => {
      const file = places[level];
      return file === undefined ? undefined : textOf(level, file);
    },
    write: (level, text, before) => {
      const file = places[level];
      if (file === undefined || textOf(level, file) !== before) return false;
      const place = placeOf(level, file);
      const written = place.ok ? writeOutside(place.value.folder, place.value.path, text, level === 'shared' ? 0o644 : 0o600) : place;
      if (!written.ok) throw failure(written.error, file);
      return true;
    },
  };
}
