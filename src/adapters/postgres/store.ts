import { AsyncLocalStorage } from 'node:async_hooks';
import { Failure, isFailure } from '../../core/failure.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { FileRef, FileState, Journal, JournalEntry, RootName, SkippedFile, Store, StoredFile, WriteSession } from '../../core/ports/store.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Postgres } from './connect.ts';
import type { Sql } from './sql.ts';
import { containedPath, distinctPath, rootFolder, namesIn, type Roots } from './places.ts';
import { openSession } from './session.ts';

export interface PostgresStoreOptions {
  readonly postgres: Postgres;
  readonly org: number;
  readonly project: number;
  /** The display name of each root. */
  readonly roots: Roots;
  readonly md5: (bytes: Buffer) => string;
  readonly now: Clock;
  /** How long to wait for another writer. */
  readonly lockMs?: number;
  /** Called after a write was rolled back, for an index that has read its changes. */
  readonly rolledBack?: () => void;
}

/** A folder exists while it holds a file. Every change of its files is in the journal, so its own time never changes. */
const FOLDER_STATE: FileState = { mtimeMs: 1, size: 0 };
const LOCK_MS = 10_000;

interface Transaction {
  readonly sql: Sql;
  isOpen: boolean;
  hasWritten: boolean;
}

interface FileRow {
  readonly path: string;
  readonly content: Buffer;
  readonly hash: string;
  readonly mtime: number;
}

const storedFile = (root: RootName, { path, content, hash, mtime }: FileRow): StoredFile => ({
  root,
  path,
  text: content.toString('utf8'),
  hash,
  size: content.length,
  mtimeMs: mtime,
});

/** A memory as rows of PostgreSQL. A write is one transaction: committed when it returns, rolled back when it throws. */
export class PostgresStore implements Store {
  readonly roots: readonly RootName[];
  readonly isFullyJournaled = true;
  readonly journal: Journal;
  readonly #options: PostgresStoreOptions;
  /** The work of a `write` reads through its transaction; all other reads see only committed data. */
  readonly #current = new AsyncLocalStorage<Transaction>();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(options: PostgresStoreOptions) {
    this.#options = options;
    this.roots = Object.keys(options.roots) as RootName[];
    this.journal = { position: () => this.#position(), entries: (from = 0) => this.#entries(from) };
  }

  absolute({ root, path }: FileRef): string {
    const folder = rootFolder(this.#options.roots, root);
    return path === '' ? folder : `${folder}/${path}`;
  }

  read(place: FileRef): Promise<StoredFile | undefined> {
    const { root, path } = place;
    return this.#run(`read ${path}`, async (sql) => {
      const [row] = await sql<FileRow>`
        select path, content, hash, mtime from files where org = ${this.#org} and project = ${this.#project} and root = ${root} and path = ${path}`;
      return row && storedFile(root, row);
    });
  }

  async readMany(places: readonly FileRef[]): Promise<ReadonlyMap<string, StoredFile>> {
    if (places.length === 0) return new Map();
    return this.#run('read files', async (sql) => {
      const rows = await sql<FileRow & { root: RootName }>`
        select f.root, f.path, f.content, f.hash, f.mtime
        from unnest(${places.map(({ root }) => root)}::text[], ${places.map(({ path }) => path)}::text[]) as given (root, path)
        join files f on f.org = ${this.#org} and f.project = ${this.#project} and f.root = given.root and f.path = given.path`;
      return new Map(rows.map((row) => [`${row.root}:${row.path}`, storedFile(row.root, row)]));
    });
  }

  stat({ root, path }: FileRef): Promise<FileState | undefined> {
    return this.#run(`read the state of ${path}`, async (sql) => {
      const [file] = await sql<{ mtime: number; size: number }>`
        select mtime, length(content) as size from files where org = ${this.#org} and project = ${this.#project} and root = ${root} and path = ${path}`;
      if (file) return { mtimeMs: file.mtime, size: file.size };
      const [below] = await this.#pathsBelow(sql, root, path, 1);
      return below === undefined ? undefined : FOLDER_STATE;
    });
  }

  async changed<F extends FileRef & FileState>(files: readonly F[]): Promise<readonly F[]> {
    if (files.length === 0) return [];
    return this.#run('compare files', async (sql) => {
      const rows = await sql<FileRef & { mtime: number; size: number }>`
        select f.root, f.path, f.mtime, length(f.content) as size
        from unnest(${files.map(({ root }) => root)}::text[], ${files.map(({ path }) => path)}::text[]) as given (root, path)
        join files f on f.org = ${this.#org} and f.project = ${this.#project} and f.root = given.root and f.path = given.path`;
      const states = new Map(rows.map(({ root, path, mtime, size }) => [`${root}:${path}`, { mtime, size }]));
      return files.filter(({ root, path, mtimeMs, size }) => {
        const state = states.get(`${root}:${path}`);
        return state?.mtime !== mtimeMs || state.size !== size;
      });
    });
  }

  list(root: RootName, folder: string): Promise<readonly string[]> {
    return this.#run(`list ${folder}`, async (sql) => namesIn(folder, await this.#pathsBelow(sql, root, folder)));
  }

  async skipped(): Promise<readonly SkippedFile[]> {
    return [];
  }

  async locate(root: RootName, target: string, known?: 'free'): Promise<Result<FileRef>> {
    const contained = containedPath(rootFolder(this.#options.roots, root), target);
    if (!contained.ok) return contained;
    const place = { root, path: contained.value };
    if (known === 'free') return ok(place);
    const folder = place.path.includes('/') ? place.path.slice(0, place.path.lastIndexOf('/')) : '';
    const beside = await this.#run(`list ${folder}`, (sql) => this.#pathsBelow(sql, root, folder));
    return distinctPath(place, beside);
  }

  version(hash: string): Promise<string | undefined> {
    return this.#run('read a version', async (sql) => {
      const [row] = await sql<{ content: Buffer }>`
        select content from versions where org = ${this.#org} and project = ${this.#project} and hash = ${hash}
        union all select content from files where org = ${this.#org} and project = ${this.#project} and hash = ${hash} limit 1`;
      return row?.content.toString('utf8');
    });
  }

  async forget(hashes: readonly string[]): Promise<void> {
    await this.#run(
      'forget versions',
      (sql) => sql`delete from versions where org = ${this.#org} and project = ${this.#project} and hash = any(${[...hashes]})`,
    );
  }

  /** Erasing is one transaction, so none is ever pending. */
  pendingErasures(): readonly FileRef[] {
    return [];
  }

  async hasStrayFiles(): Promise<boolean> {
    return false;
  }

  close(): void {
    // The connections belong to the pool.
  }

  write<T>(actor: string, work: (session: WriteSession) => Promise<T>): Promise<T> {
    // Writes of one process run in order; between processes the project's row is the lock.
    const turn = this.#lastWrite.then(() => this.#writeNow(actor, work));
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  async #writeNow<T>(actor: string, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const { postgres, lockMs = LOCK_MS, rolledBack } = this.#options;
    let transaction: Transaction | undefined;
    try {
      return await postgres.asOrganisation(this.#org, async (sql) => {
        const current: Transaction = { sql, isOpen: true, hasWritten: false };
        transaction = current;
        const seq = await this.#lock(sql, lockMs);
        const { md5, now } = this.#options;
        const session = openSession({ sql, org: this.#org, project: this.#project, actor, md5, now, seq, wrote: () => (current.hasWritten = true) });
        try {
          return await this.#current.run(current, () => work(session));
        } finally {
          current.isOpen = false;
        }
      });
    } catch (cause) {
      if (transaction?.hasWritten === true) rolledBack?.();
      throw asFailure(cause, 'write');
    }
  }

  /** Locks the project, waiting for other writers; returns the number of its last journal entry. */
  async #lock(sql: Sql, lockMs: number): Promise<number> {
    await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`;
    const [row] = await sql<{ seq: number }>`
      select seq from projects where org = ${this.#org} and project = ${this.#project} for no key update`;
    if (!row) throw new Failure('IO_ERROR', 'this project is no longer in the database', { hint: 'list the projects of the organisation' });
    return row.seq;
  }

  #pathsBelow(sql: Sql, root: RootName, folder: string, limit = 1_000_000): Promise<readonly string[]> {
    // `0` is the character behind `/`, and the column sorts by bytes.
    const [from, to] = folder === '' ? ['', '\u{10ffff}'] : [`${folder}/`, `${folder}0`];
    return sql<{ path: string }>`
      select path from files where org = ${this.#org} and project = ${this.#project} and root = ${root} and path >= ${from} and path < ${to}
      order by path limit ${limit}`.then((rows) => rows.map(({ path }) => path));
  }

  #position(): Promise<number> {
    return this.#run('read the journal', async (sql) => {
      const [row] = await sql<{ position: string }>`select position from projects where org = ${this.#org} and project = ${this.#project}`;
      return Number(row?.position ?? 0);
    });
  }

  #entries(from: number): Promise<readonly JournalEntry[]> {
    return this.#run('read the journal', async (sql) => {
      const rows = await sql<{ entry: JournalEntry }>`
        select entry from journal where org = ${this.#org} and project = ${this.#project} and position > ${from} order by position`;
      return rows.map(({ entry }) => entry);
    });
  }

  /** Inside a write, runs in its transaction, so that a writer sees its own changes. */
  async #run<T>(operation: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const current = this.#current.getStore();
    try {
      return current?.isOpen === true ? await work(current.sql) : await this.#options.postgres.asOrganisation(this.#org, work);
    } catch (cause) {
      throw asFailure(cause, operation);
    }
  }

  get #org(): number {
    return this.#options.org;
  }

  get #project(): number {
    return this.#options.project;
  }
}

const DATABASE_CODE = /^(?:[0-9A-Z]{5}|CONNECT(?:ION)?_\w+|E[A-Z]+)$/;

/** Turns an error of PostgreSQL or of the connection into a failure; returns all others unchanged. */
function asFailure(cause: unknown, operation: string): unknown {
  const { code = '' } = cause as { code?: string };
  if (isFailure(cause) || !DATABASE_CODE.test(code)) return cause;
  if (code === '55P03') return new Failure('LOCK_TIMEOUT', 'another writer holds this memory', { cause, hint: 'try again' });
  return new Failure('IO_ERROR', `cannot ${operation}: ${(cause as Error).message}`, { cause, hint: 'nothing was changed; see the log of PostgreSQL' });
}
