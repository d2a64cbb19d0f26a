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

/** Rolls back, unless SQLite already has: its error would then hide the first one. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch (cause) {
    if (!/no transaction/i.test((cause as Error).message)) throw cause;
  }
}

const isBusy = (cause: unknown): boolean => /locked|busy/i.test((cause as Error).message);

/** Retries while another process prepares the same new file; a later try finds it done. */
export function retryWhileBusy<T>(work: () => T, tries = 5): T {
  for (let left = tries; ; left--) {
    try {
      return work();
    } catch (cause) {
      if (!isBusy(cause) || left <= 0) throw cause;
    }
  }
}

export const schemaVersion = (database: Database): number => Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** Sets how durable writes are. Not done for readers, which it would cost as long as a short query. */
export const prepareToWrite = (database: Database): void => database.exec('PRAGMA synchronous = NORMAL');

function create(database: Database): void {
  prepareToWrite(database);
  retryWhileBusy(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec('BEGIN IMMEDIATE');
  try {
    if (schemaVersion(database) !== INDEX_VERSION) database.exec(`${INDEX_SCHEMA} PRAGMA user_version = ${INDEX_VERSION};`);
    database.exec('COMMIT');
  } catch (cause) {
    rollBack(database);
    throw cause;
  }
  // Empties the log of a new index, which is larger than the index itself.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function connect(file: string, busyMs: number): Database {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    const version = schemaVersion(database);
    if (version === 0) create(database);
    else if (version !== INDEX_VERSION) throw new Error(`index version ${version} is not a database of this version`);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Rewrites a database so that no deleted text remains in free pages or in its log. */
export function compactDatabase(database: Database): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('VACUUM');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

/** Opens the index of a memory; one that is damaged or of another version is deleted and created again. */
export function openIndexDatabase(file: string, busyMs: number): Database {
  try {
    if (!existsSync(file)) makeFolderOf(file);
    return connect(file, busyMs);
  } catch (cause) {
    if (!isDamage(cause)) throw openFailure(file, cause);
    try {
      removeIndex(file);
      return connect(file, busyMs);
    } catch (second) {
      throw openFailure(file, second);
    }
  }
}

const openFailure = (file: string, cause: unknown): Failure =>
  isFailure(cause)
    ? cause
    : new Failure('IO_ERROR', `cannot open the index ${file}: ${(cause as Error).message}`, {
        hint: /disk is full|ENOSPC|EFBIG/i.test((cause as Error).message)
          ? 'free some disk space and try again'
          : 'check the permissions of the home, or point --home elsewhere',
        cause,
      });
