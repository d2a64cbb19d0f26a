import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, isFailure } from '../../core/failure.ts';
import type {
  Feedback,
  InjectedItem,
  Injection,
  InjectionEvent,
  InjectionLog,
  FeedbackVerdict,
  ItemOutcome,
  Reception,
  Verdicts,
} from '../../core/ports/injection-log.ts';
import { isNeverUsed, type ItemUse, PASSED_SHARE, type UseOutcome } from '../../core/use/item-use.ts';
import { openDatabase, type Database, type Statement, makeFolderOf } from './binding.ts';
import { isDamage, retryWhileBusy, schemaVersion } from './open.ts';

const VERSION = 2;
const BUSY_MS = 2_000;
/** Older injections are deleted; feedback never is. */
const MOST_INJECTIONS = 20_000;
const SWEEP_EVERY = 500;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS injections (
  seq INTEGER PRIMARY KEY, at TEXT NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL, tokens INTEGER NOT NULL, items TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS injections_session ON injections (session, seq);
CREATE TABLE IF NOT EXISTS feedback (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, id TEXT NOT NULL, verdict TEXT NOT NULL, session TEXT);
CREATE INDEX IF NOT EXISTS feedback_id ON feedback (id);
CREATE TABLE IF NOT EXISTS uses (
  id TEXT NOT NULL, session TEXT NOT NULL, at TEXT NOT NULL, updated TEXT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (id, session)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS uses_session ON uses (session);
PRAGMA user_version = ${VERSION};
`;

type Row = Readonly<Record<string, unknown>>;

interface UseRow extends Omit<ItemUse, 'silent'> {
  readonly id: string;
  /** Sessions since its last change that did not use it, and those of them that had it only in the brief. */
  readonly idle: number;
  readonly passed: number;
}

/**
 * Apart from the index, because it cannot be rebuilt from the files. Opens its file on first use; reading does not create one.
 */
export class SqliteInjectionLog implements InjectionLog {
  readonly #file: string;
  #database: Database | undefined;
  #statements = new Map<string, Statement>();
  #wrote = false;
  #hasFeedback = false;

  constructor(file: string) {
    this.#file = file;
  }

  note({ at, session, event, tokens, items }: Injection): void {
    const seq = this.#insert(
      'INSERT INTO injections (at, session, event, tokens, items) VALUES (?, ?, ?, ?, ?)',
      at,
      session,
      event,
      tokens,
      JSON.stringify(items),
    );
    if (seq % SWEEP_EVERY !== 0) return;
    this.#insert('DELETE FROM injections WHERE seq <= ?', seq - MOST_INJECTIONS);
    this.#insert('DELETE FROM uses WHERE at < (SELECT min(at) FROM injections)');
  }

  /** A compaction or a cleared context removes earlier injections from the context. */
  shown(session: string): ReadonlyMap<string, string> {
    const rows = this.#rows(
      `SELECT * FROM injections WHERE session = ?1 AND event <> 'subagent'
       AND seq >= coalesce((SELECT max(seq) FROM injections WHERE session = ?1 AND event IN ('compact', 'clear')), 0) ORDER BY seq`,
      session,
    );
    return new Map(rows.map(injectionOf).flatMap(({ items }) => items.map(({ id, updatedAt }) => [id, updatedAt] as const)));
  }

  spent(session: string): number {
    return Number(this.#rows('SELECT sum(tokens) AS tokens FROM injections WHERE session = ?', session)[0]?.['tokens'] ?? 0);
  }

  injections(session: string | undefined, limit: number): readonly Injection[] {
    const one = session === undefined ? '?1 IS NULL' : 'session = ?1';
    return this.#rows(`SELECT * FROM injections WHERE ${one} ORDER BY seq DESC LIMIT ?2`, session ?? null, limit).map(injectionOf);
  }

  say({ at, id, verdict, session }: Feedback): void {
    this.#hasFeedback = true;
    this.#insert('INSERT INTO feedback (at, id, verdict, session) VALUES (?, ?, ?, ?)', at, id, verdict, session ?? null);
  }

  unsay({ at, id, verdict }: Feedback): void {
    this.#hasFeedback = true;
    this.#insert('DELETE FROM feedback WHERE seq = (SELECT max(seq) FROM feedback WHERE at = ? AND id = ? AND verdict = ?)', at, id, verdict);
  }

  feedback(): readonly Feedback[] {
    return this.#rows('SELECT at, id, verdict, session FROM feedback ORDER BY seq').map((row) => ({
      at: row['at'] as string,
      id: row['id'] as string,
      verdict: row['verdict'] as FeedbackVerdict,
      ...(row['session'] !== null && { session: row['session'] as string }),
    }));
  }

  verdicts(ids: readonly string[]): ReadonlyMap<string, Verdicts> {
    const verdicts = new Map<string, Verdicts>();
    const countQuery = 'SELECT id, verdict, count(*) AS n FROM feedback WHERE id IN (SELECT value FROM json_each(?)) GROUP BY id, verdict';
    for (const row of ids.length === 0 ? [] : this.#rows(countQuery, JSON.stringify(ids))) {
      const before = verdicts.get(row['id'] as string) ?? { useful: 0, wrong: 0, outdated: 0 };
      verdicts.set(row['id'] as string, { ...before, [row['verdict'] as FeedbackVerdict]: Number(row['n']) });
    }
    return verdicts;
  }

  used(ids: readonly string[]): ReadonlySet<string> {
    const wanted = JSON.stringify(ids);
    const shownIds = `SELECT DISTINCT json_extract(item.value, '$.id') AS id FROM injections, json_each(injections.items) AS item
      WHERE event = 'prompt' AND json_extract(item.value, '$.id') IN (SELECT value FROM json_each(?1))`;
    const usefulIds = `SELECT id FROM feedback WHERE verdict = 'useful' AND id IN (SELECT value FROM json_each(?1))`;
    const candidates = ids.length === 0 ? [] : this.#rows(`${shownIds} UNION ${usefulIds}`, wanted).map((row) => row['id'] as string);
    const received = this.receptionOf(candidates);
    return new Set(candidates.filter((id) => (received.get(id)?.feedback ?? 0) > 0 || !isNeverUsed(id, received.get(id)?.use)));
  }

  receptionOf(ids: readonly string[]): ReadonlyMap<string, Reception> {
    const [verdicts, uses] = [this.verdicts(ids), this.#usesOf(ids)];
    const received = new Map<string, Reception>();
    for (const id of [...verdicts.keys(), ...uses.keys()]) {
      const [judged, use] = [verdicts.get(id), uses.get(id)];
      received.set(id, { feedback: judged === undefined ? 0 : judged.useful - judged.wrong - judged.outdated, ...(use && { use }) });
    }
    return received;
  }

  noteUses(session: string, at: string, uses: readonly ItemOutcome[]): void {
    const sql = `INSERT OR REPLACE INTO uses (id, session, at, updated, outcome)
      SELECT json_extract(value, '$.id'), ?, ?, json_extract(value, '$.updatedAt'), json_extract(value, '$.outcome') FROM json_each(?)`;
    if (uses.length > 0) this.#insert(sql, session, at, JSON.stringify(uses));
  }

  usesIn(session: string): ReadonlyMap<string, UseOutcome> {
    return new Map(this.#rows('SELECT id, outcome FROM uses WHERE session = ?', session).map((row) => [row['id'] as string, row['outcome'] as UseOutcome]));
  }

  #usesOf(ids: readonly string[]): ReadonlyMap<string, ItemUse> {
    const countQuery = `SELECT id, count(*) AS shown, sum(outcome IN ('fetched', 'followed')) AS used, sum(outcome = 'repeated') AS repeated,
      sum(outcome = 'contradicted') AS contradicted, sum((outcome = 'unused' OR outcome = 'passed') AND updated = latest) AS idle,
      sum(outcome = 'passed' AND updated = latest) AS passed
      FROM (SELECT *, max(updated) OVER (PARTITION BY id) AS latest FROM uses WHERE id IN (SELECT value FROM json_each(?))) GROUP BY id`;
    const rows = ids.length === 0 ? [] : (this.#rows(countQuery, JSON.stringify(ids)) as readonly object[] as readonly UseRow[]);
    return new Map(
      rows.map(({ id, shown, used, repeated, contradicted, idle, passed }) => {
        const silent = used + repeated > 0 ? 0 : idle - passed + passed * PASSED_SHARE;
        return [id, { shown, used, repeated, contradicted, silent }];
      }),
    );
  }

  close(): void {
    this.#statements = new Map();
    // Feedback is written back at once; a lost injection is merely shown again.
    if (this.#wrote && (this.#hasFeedback || isLong(`${this.#file}-wal`))) truncateLog(this.#database);
    this.#database?.close();
    this.#database = undefined;
  }

  #rows(sql: string, ...values: readonly unknown[]): readonly Row[] {
    if (!this.#database && !existsSync(this.#file)) return [];
    return this.#runStatement(sql, (statement) => statement.all(...values));
  }

  #insert(sql: string, ...values: readonly unknown[]): number {
    if (!this.#database) makeFolderOf(this.#file);
    this.#wrote = true;
    return Number(this.#runStatement(sql, (statement) => statement.run(...values)).lastInsertRowid);
  }

  /** Runs a statement. Renames a damaged log instead of deleting it, because it holds feedback, and begins a new one. */
  #runStatement<T>(sql: string, work: (statement: Statement) => T): T {
    try {
      return work(this.#statement(sql));
    } catch (cause) {
      if (!isDamage(cause)) throw failed(this.#file, cause);
      this.close();
      for (const suffix of ['-wal', '-shm']) rmSync(`${this.#file}${suffix}`, { force: true });
      renameSync(this.#file, `${this.#file}.damaged`);
      return work(this.#statement(sql));
    }
  }

  /** Prepared once: a prompt runs four statements, and preparing one costs more than running it. */
  #statement(sql: string): Statement {
    const database = (this.#database ??= connect(this.#file));
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  }
}

/** Reading a shorter write-ahead log costs the next process less than writing it back costs this one, with its four disk syncs. */
const SHORT_BYTES = 128 * 1024;
const isLong = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= SHORT_BYTES;

/** Truncates the write-ahead log, which the next process would read whole; a process that has the database open does it instead. */
function truncateLog(database: Database | undefined): void {
  try {
    database?.exec('PRAGMA busy_timeout=0;PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Without the checkpoint nothing is lost.
  }
}

function connect(file: string): Database {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = NORMAL;`);
    if (schemaVersion(database) < VERSION) retryWhileBusy(() => database.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}`));
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

const failed = (file: string, cause: unknown): Failure =>
  isFailure(cause)
    ? cause
    : new Failure('IO_ERROR', `cannot use the injection log ${file}: ${(cause as Error).message}`, { hint: 'check the permissions of the home', cause });

const injectionOf = (row: Row): Injection => ({
  at: row['at'] as string,
  session: row['session'] as string,
  event: row['event'] as InjectionEvent,
  tokens: Number(row['tokens']),
  items: JSON.parse(row['items'] as string) as InjectedItem[],
});

/** Those of the named records that are in use, by the log in a memory's state folder. */
export function usedRecordsIn(state: string, names: readonly string[]): ReadonlySet<string> {
  const log = new SqliteInjectionLog(join(state, 'injections.db'));
  try {
    return log.used(names);
  } finally {
    log.close();
  }
}

/** Notes in the log of a memory's state folder that quoted rules are not to come back. */
export function muteRulesIn(state: string, ids: readonly string[], at: string): void {
  const log = new SqliteInjectionLog(join(state, 'injections.db'));
  try {
    for (const id of ids) log.say({ at, id, verdict: 'outdated' });
  } finally {
    log.close();
  }
}
