import { Failure, isFailure } from '../../core/failure.ts';
import { openDatabase, type Database, makeFolderOf } from './binding.ts';
import { isDamage, removeIndex, retryWhileBusy, rollBack, schemaVersion } from './open.ts';

/** A large import holds the lock for some seconds when it commits. */
const BUSY_MS = 60_000;

export interface OpenedDatabase {
  readonly database: Database;
  /** Whether the database was just created. */
  readonly fresh: boolean;
}

/** Creates the tables; true unless another process has just done so. The database is still empty, so a power cut may lose it. */
function create(database: Database, schema: string, version: number): boolean {
  database.exec('PRAGMA synchronous = OFF');
  retryWhileBusy(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec('BEGIN IMMEDIATE');
  try {
    const fresh = schemaVersion(database) === 0;
    if (fresh) database.exec(`${schema} PRAGMA user_version = ${version};`);
    database.exec('COMMIT');
    return fresh;
  } catch (cause) {
    rollBack(database);
    throw cause;
  }
}

function connect(file: string, schema: string, version: number): OpenedDatabase {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -16000;`);
    const oldVersion = schemaVersion(database);
    if (oldVersion !== 0 && oldVersion !== version) throw new Error(`version ${oldVersion} is not a database of this version`);
    const fresh = oldVersion === 0 && create(database, schema, version);
    database.exec('PRAGMA synchronous = NORMAL');
    return { database, fresh };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Opens a derived database; one that is damaged or of another version is deleted and created again. */
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
