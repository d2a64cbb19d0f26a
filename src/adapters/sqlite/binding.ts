import { closeSync, existsSync, openSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { type FolderDisk, makeFolders } from '../../core/ports/make-folders.ts';

/** The part of `node:sqlite`'s API that both bindings have. */
export interface Statement {
  run(...values: unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: unknown[]): Record<string, unknown> | undefined;
  all(...values: unknown[]): Record<string, unknown>[];
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Binding {
  readonly DatabaseSync: new (location: string, options?: { readonly readOnly?: boolean }) => Database;
}

/** Node 22 warns on stderr that its SQLite is experimental; users cannot act on that. */
function quietly<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const PLATFORM = `${process.platform}-${process.arch}`;
/** Beside a plugin's bundles, or in the installed package. */
const PLACES = [`native/${PLATFORM}`, `node_modules/@photostructure/sqlite/prebuilds/${PLATFORM}`];

/** Looks beside this program and upwards, as Node does, but without its loader, which takes longer than the addon itself. */
function* prebuiltFolders(): Generator<string> {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    for (const place of PLACES) if (existsSync(`${folder}/${place}`)) yield join(folder, place);
    if (folder === dirname(folder)) return;
  }
}

/** On Node 20 the prebuilt addon is loaded without its wrapper, which would cost a quarter of a process's start. */
function loadPrebuilt(): Binding {
  const failures: unknown[] = [];
  for (const folder of prebuiltFolders()) {
    for (const libc of ['glibc', 'musl']) {
      const addon = { exports: {} as Binding };
      try {
        process.dlopen(addon, join(folder, `@photostructure+sqlite.${libc}.node`));
        return addon.exports;
      } catch (cause) {
        failures.push(cause);
      }
    }
  }
  throw new AggregateError(failures, 'no prebuilt addon loads');
}

let binding: Binding | undefined;

function load(): Binding {
  if (binding) return binding;
  try {
    binding = (quietly(() => process.getBuiltinModule('node:sqlite')) as Binding | undefined) ?? loadPrebuilt();
  } catch (cause) {
    throw new Failure('IO_ERROR', `no SQLite for Node ${process.version} on ${process.platform}-${process.arch}`, {
      hint: 'use Node 22 or newer, or install holdfast with its dependencies',
      cause,
    });
  }
  return binding;
}

export function openDatabase(location: string): Database {
  // SQLite itself would create a file that other users can read.
  if (location !== ':memory:' && !existsSync(location)) closeSync(openSync(location, 'a', 0o600));
  return new (load().DatabaseSync)(location);
}

/** Opens a database of another program without writing to it. */
export const openReadOnly = (location: string): Database => new (load().DatabaseSync)(location, { readOnly: true });

const DISK: FolderDisk = {
  make: (folder) => mkdirSync(folder, { mode: 0o700 }),
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  exists: existsSync,
  above: dirname,
};

/** Creates the folder of a database. */
export const makeFolderOf = (file: string): void => makeFolders(dirname(file), DISK);
