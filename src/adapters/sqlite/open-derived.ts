import { Failure, isFailure } from '../../core/failure.ts';
import { openDatabase, type Database, makeFolderOf } from './binding.ts';
import { isDamage, removeIndex } from './open.ts';

/** A large import holds the lock for some seconds when it commits. */
const BUSY_MS = 60_000;
const TRIES = 5;

export interface OpenedDatabase {
  readonly database: Database;
  /** It was not there, or not usable, and has been begun. */
  readonly fresh: boolean;
}

const versionOf = (database: Database): number => Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** Two processes that begin a database at once both find it begun. Nothing is in it yet that would have to survive a power cut. */
function begin(database: Database, schema: string, version: number): boolean {
  database.exec('PRAGMA synchronous = OFF');
  for (let left = TRIES; ; left--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      break;
    } catch (cause) {
      if (left === 0 || !/locked|busy/i.test((cause as Error).message)) throw cause;
    }
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    const fresh = versionOf(database) === 0;
    if (fresh) database.exec(`${schema} PRAGMA user_version = ${version};`);
    database.exec('COMMIT');
    return fresh;
  } catch (cause) {
    database.exec('ROLLBACK');
    throw cause;
  }
}

function connect(file: string, schema: string, version: number): OpenedDatabase {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -16000;`);
    const found = versionOf(database);
    if (found !== 0 && found !== version) throw new Error(`version ${found} is not a database of this version`);
    const fresh = found === 0 && begin(database, schema, version);
    database.exec('PRAGMA synchronous = NORMAL');
    return { database, fresh };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Opens a derived database; one that is damaged or of another version is dropped and begun again. */
export function openDerived(file: string, schema: string, version: number): OpenedDatabase {
  const failed = (cause: unknown): Failure =>
    isFailure(cause)
      ? cause
      : new Failure('IO_ERROR', `cannot open ${file}: ${(cause as Error).message}`, {
          hint: 'check the permissions of the home, or point --home elsewhere',
          cause,
        });
  try {
    makeFolderOf(file);
    return connect(file, schema, version);
  } catch (cause) {
    if (!isDamage(cause)) throw failed(cause);
    try {
      removeIndex(file);
      return connect(file, schema, version);
    } catch (second) {
      throw failed(second);
    }
  }
}
