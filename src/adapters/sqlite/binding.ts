import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';
import path from 'node:path';
import { Failure } from '../../core/failure.ts';

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

const require = createRequire(import.meta.url);

/** Node 22 calls its SQLite experimental on stderr, which is not news to our users. */
function quietly<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** On Node 20 the prebuilt addon is loaded without its wrapper, which costs half of a process's start. */
function loadPrebuilt(): Binding {
  const home = path.dirname(require.resolve('@photostructure/sqlite/package.json'));
  const failures: unknown[] = [];
  for (const libc of ['glibc', 'musl']) {
    try {
      return require(path.join(home, 'prebuilds', `${platform}-${arch}`, `@photostructure+sqlite.${libc}.node`)) as Binding;
    } catch (cause) {
      failures.push(cause);
    }
  }
  throw new AggregateError(failures, 'no prebuilt addon loads');
}

let binding: Binding | undefined;

function load(): Binding {
  if (binding) return binding;
  try {
    binding = process.getBuiltinModule?.('node:sqlite') === undefined ? loadPrebuilt() : quietly(() => require('node:sqlite') as Binding);
  } catch (cause) {
    throw new Failure('IO_ERROR', `no SQLite for Node ${process.version} on ${platform}-${arch}`, { hint: 'use Node 22 or newer, or install holdfast with its dependencies', cause });
  }
  return binding;
}

export function openDatabase(location: string): Database {
  return new (load().DatabaseSync)(location);
}
