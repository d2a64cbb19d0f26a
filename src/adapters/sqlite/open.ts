import { existsSync, rmSync } from 'node:fs';
import { Failure, isFailure } from '../../core/failure.ts';
import { openDatabase, type Database, makeFolderOf } from './binding.ts';
import { INDEX_SCHEMA, INDEX_VERSION } from './schema.ts';

/** How long to wait for other writers, outside hooks. */
export const BUSY_MS = 10_000;

export const isDamage = (cause: unknown): boolean => /malformed|corrupt|not a database|disk image|no such (table|column)/i.test((cause as Error).message);

/** No space, or no right to write: the existing file is as good as before. */
export const isUnwritable = (cause: unknown): boolean =>
  /disk is full|disk I\/O|readonly|unable to open database file|EROFS|EACCES|EPERM|ENOSPC|EFBIG/i.test((cause as Error).message);

/** SQLite may have rolled back by itself, and then its own complaint would hide the first. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch (cause) {
    if (!/no transaction/i.test((cause as Error).message)) throw cause;
  }
}

const isBusy = (cause: unknown): boolean => /locked|busy/i.test((cause as Error).message);

/** Switching a new file to WAL can meet another process doing the same; the second try finds it done. */
function patiently<T>(work: () => T, tries = 5): T {
  for (let left = tries; ; left--) {
    try {
      return work();
    } catch (cause) {
      if (!isBusy(cause) || left <= 0) throw cause;
    }
  }
}

function versionOf(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/** How durable writes are, which is asked of every connection: one that only reads would wait for it as long as for a short query. */
export const prepareToWrite = (database: Database): void => database.exec('PRAGMA synchronous = NORMAL');

function create(database: Database): void {
  prepareToWrite(database);
  patiently(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec('BEGIN IMMEDIATE');
  try {
    if (versionOf(database) !== INDEX_VERSION) database.exec(`${INDEX_SCHEMA} PRAGMA user_version = ${INDEX_VERSION};`);
    database.exec('COMMIT');
  } catch (cause) {
    rollBack(database);
    throw cause;
  }
  // The log of a new index is larger than the index: the first write need not carry it along.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function connect(file: string, busyMs: number): Database {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    const version = versionOf(database);
    if (version === 0) create(database);
    else if (version !== INDEX_VERSION) throw new Error(`index version ${version} is not a database of this version`);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Rewrites a database so that neither its free pages nor its log hold what was deleted. */
export function compactDatabase(database: Database): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('VACUUM');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

/** Opens the index of a memory; one that is damaged or of another version is dropped and begun again. */
export function openIndexDatabase(file: string, busyMs: number): Database {
  try {
    if (!existsSync(file)) makeFolderOf(file);
    return connect(file, busyMs);
  } catch (cause) {
    if (!isDamage(cause)) throw unopened(file, cause);
    try {
      removeIndex(file);
      return connect(file, busyMs);
    } catch (second) {
      throw unopened(file, second);
    }
  }
}

const unopened = (file: string, cause: unknown): Failure =>
  isFailure(cause)
    ? cause
    : new Failure('IO_ERROR', `cannot open the index ${file}: ${(cause as Error).message}`, {
        hint: /disk is full|ENOSPC|EFBIG/i.test((cause as Error).message)
          ? 'free some disk space and try again'
          : 'check the permissions of the home, or point --home elsewhere',
        cause,
      });
