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

/** Links to the user's own files are followed. The shared file, <checkout>/.claude/memory/NAME, came with a clone, so no link below the checkout is. */
function locate(level: Level, file: string): Result<FolderAndName> {
  if (level !== 'shared') return ownFile(file);
  const checkout = dirname(dirname(dirname(file)));
  return { ok: true, value: { folder: checkout, path: relative(checkout, file) } };
}

const readFailure = ({ message, hint }: Refusal, file: string): Failure =>
  new Failure('READ_ERROR', message.includes(file) ? message : `${file}: ${message}`, hint === undefined ? {} : { hint });

function readSettings(level: Level, file: string): string | undefined {
  // Most settings have no file, and an exception costs more than a check.
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined;
  const location = locate(level, file);
  const read = location.ok ? readOutside(location.value.folder, location.value.path, FILE_BYTES.settings) : location;
  if (read.ok) return read.value.bytes.toString('utf8');
  if (read.error.missing === true) return undefined;
  throw readFailure(read.error, file);
}

/** The settings files of a project and its user. */
export function configFiles(files: Readonly<Partial<Record<Level, string>>>): ConfigFiles {
  return {
    place: (level) => files[level],
    read: (level) => {
      const file = files[level];
      return file === undefined ? undefined : readSettings(level, file);
    },
    write: (level, text, before) => {
      const file = files[level];
      if (file === undefined || readSettings(level, file) !== before) return false;
      const location = locate(level, file);
      const written = location.ok ? writeOutside(location.value.folder, location.value.path, text, level === 'shared' ? 0o644 : 0o600) : location;
      if (!written.ok) throw readFailure(written.error, file);
      return true;
    },
  };
}
