import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ConfigFiles } from '../../core/config/ports.ts';
import type { Level } from '../../core/config/spec.ts';
import { ioFailure, replaceFile } from './durable.ts';

const textOf = (file: string): string | undefined => {
  try {
    // Most settings have no file, and being told so by an exception costs more than reading one.
    return statSync(file, { throwIfNoEntry: false }) && readFileSync(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw ioFailure(cause, `cannot read ${file}`);
  }
};

/** The settings' files of one project and its user. */
export function configFiles(places: Readonly<Partial<Record<Level, string>>>): ConfigFiles {
  return {
    place: (level) => places[level],
    read: (level) => {
      const file = places[level];
      return file === undefined ? undefined : textOf(file);
    },
    write: (level, text, before) => {
      const file = places[level];
      if (file === undefined || textOf(file) !== before) return false;
      replaceFile(file, text, join(dirname(file), `.${basename(file)}.holdfast.tmp`), true, { inCheckout: level === 'shared' });
      return true;
    },
  };
}
