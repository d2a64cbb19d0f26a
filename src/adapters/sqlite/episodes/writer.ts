import { type Client, GIT, type SessionFacts } from '../../../core/episode/episode.ts';
import { epochOf } from '../../../core/instant.ts';
import type { EpisodeAddition, EpisodeChange, EpisodeIndex, MessageOfSession, StoredSession } from '../../../core/ports/episodes.ts';
import type { Database, Statement } from '../binding.ts';
import { EntryWriter } from './entries.ts';
import { openDerived } from '../open-derived.ts';
import { PostingsWriter } from './postings.ts';
import { EPISODES_SCHEMA, EPISODES_VERSION } from './schema.ts';

type Row = Readonly<Record<string, unknown>>;

/** The index of a project's episodes in SQLite: writes, and reads of single sessions. */
export class SqliteEpisodes implements EpisodeIndex {
  readonly #database: Database;
  readonly #postings: PostingsWriter;
  readonly #entries: EntryWriter;
  readonly #statements = new Map<string, Statement>();
  #wrote = false;

  constructor(file: string) {
    this.#database = openDerived(file, EPISODES_SCHEMA, EPISODES_VERSION).database;
    this.#postings = new PostingsWriter(this.#database);
    this.#entries = new EntryWriter(this.#database, this.#postings);
  }

  begin(): EpisodeChange {
    this.#database.exec('BEGIN IMMEDIATE');
    return this.#change;
  }

  commit(): void {
    this.#entries.flush();
    this.#postings.flush((key, value) => this.#run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value));
    this.#database.exec('COMMIT');
    this.#wrote = true;
  }

  rollback(): void {
    this.#postings.clear();
    this.#entries.forget();
    this.#database.exec('ROLLBACK');
  }

  session(id: string): StoredSession | undefined {
    const row = this.#statement('SELECT * FROM units WHERE id = ?').get(id);
    return row && sessionOf(row);
  }

  sessions(limit: number): readonly StoredSession[] {
    return this.#statement(`SELECT * FROM units WHERE client <> '${GIT}' ORDER BY ended DESC, unit DESC LIMIT ?`).all(limit).map(sessionOf);
  }

  commitsLike(prefix: string, limit: number): readonly StoredSession[] {
    return this.#statement(`SELECT * FROM units WHERE client = '${GIT}' AND id >= ? AND id < ? LIMIT ?`)
      .all(prefix, `${prefix}\u{10ffff}`, limit)
      .map(sessionOf);
  }

  messagesLike(prefix: string, limit: number): readonly MessageOfSession[] {
    // By unit, because the index of messages begins with it.
    const rows = this.#statement(
      `SELECT m.id AS messageId, u.id AS sessionId FROM units u CROSS JOIN messages m ON m.unit = u.unit AND m.id >= ? AND m.id < ?
       WHERE m.role <> 'compaction' ORDER BY m.id <> ?, u.ended DESC, u.unit DESC LIMIT ?`,
    ).all(prefix, `${prefix}\u{10ffff}`, prefix, limit);
    return rows as readonly object[] as readonly MessageOfSession[];
  }

  newestCommit(): StoredSession | undefined {
    const row = this.#statement(`SELECT * FROM units WHERE client = '${GIT}' ORDER BY ended DESC, unit DESC LIMIT 1`).get();
    return row && sessionOf(row);
  }

  textOf(unit: number): string {
    const rows = this.#statement(
      'SELECT c.text FROM messages m JOIN chunks c ON c.id BETWEEN m.first AND m.last AND c.message = m.number WHERE m.unit = ? AND c.id % 8 < 3 ORDER BY c.id',
    ).all(unit);
    return rows.map((row) => row['text'] as string).join('\n');
  }

  isWhole(): boolean {
    return this.#meta('whole') === 1;
  }

  archivedBytes(): number {
    return this.#meta('archived');
  }

  close(): void {
    // A log left behind would have to be read again by the next process.
    if (this.#wrote) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#statements.clear();
    this.#database.close();
  }

  readonly #change: EpisodeChange = {
    session: (id) => this.session(id),
    begin: (facts, source, archive) => {
      this.#run('INSERT INTO units (id, client, source, archive) VALUES (?, ?, ?, ?)', facts.sessionId, facts.client, source, archive);
      this.#count('units', 1);
      const session = this.session(facts.sessionId) as StoredSession;
      this.#facts(session.unit, facts, source);
      return session;
    },
    facts: (unit, facts, source) => this.#facts(unit, facts, source),
    sizes: (unit, ids) => this.#sizes(unit, ids),
    put: (unit, addition) => this.#put(unit, addition),
    archived: (unit, bytes) => {
      const before = Number(this.#statement('SELECT archived FROM units WHERE unit = ?').get(unit)?.['archived'] ?? 0);
      this.#run('UPDATE units SET archived = ? WHERE unit = ?', bytes, unit);
      this.#count('archived', bytes - before);
    },
    oldest: (limit) => this.#statement('SELECT * FROM units WHERE archived > 0 ORDER BY ended, unit LIMIT ?').all(limit).map(sessionOf),
    whole: (is) => this.#run("INSERT OR REPLACE INTO meta (key, value) VALUES ('whole', ?)", Number(is)),
    clear: () => {
      this.#database.exec('PRAGMA secure_delete = ON');
      for (const [, table] of EPISODES_SCHEMA.matchAll(/CREATE TABLE (\w+)/g)) this.#database.exec(`DELETE FROM ${table}`);
      this.#database.exec('PRAGMA secure_delete = OFF');
      this.#postings.clear();
      this.#entries.forget();
    },
    dropText: (unit) => {
      this.#change.archived(unit, 0);
      this.#run('UPDATE units SET dropped = 1 WHERE unit = ?', unit);
    },
  };

  /** Project and start keep their first values; the other facts take the latest. */
  #facts(unit: number, facts: SessionFacts, source: string): void {
    this.#run(
      `UPDATE units SET project = coalesce(project, ?1), branch = coalesce(?2, branch), version = coalesce(?3, version), title = coalesce(?4, title),
       started = min(coalesce(started, ?5), coalesce(?5, started)), ended = max(coalesce(ended, ?6), coalesce(?6, ended)), source = CASE source WHEN '' THEN ?7 ELSE source END WHERE unit = ?8`,
      facts.project ?? null,
      facts.branch ?? null,
      facts.clientVersion ?? null,
      facts.title ?? null,
      epochOf(facts.startedAt) ?? null,
      epochOf(facts.endedAt) ?? null,
      source,
      unit,
    );
  }

  #sizes(unit: number, ids: readonly string[]): ReadonlyMap<string, number> {
    const find = this.#statement('SELECT size FROM messages WHERE unit = ? AND id = ?');
    const known = new Map<string, number>();
    for (const id of ids) {
      const row = find.get(unit, id);
      if (row) known.set(id, Number(row['size']));
    }
    return known;
  }

  #put(unit: number, addition: EpisodeAddition): void {
    const { messages, prompts, chunks } = this.#entries.put(unit, addition);
    const { nextPlace, size, committed = false, failures = [] } = addition;
    for (const { action, at, messageId, cause, score } of failures)
      this.#run(
        'INSERT OR REPLACE INTO failures (action, at, unit, message, cause, score) VALUES (?, ?, ?, ?, ?, ?)',
        action,
        epochOf(at) ?? 0,
        unit,
        messageId,
        cause,
        score,
      );
    this.#count('chunks', chunks);
    this.#count('terms', size);
    this.#run(
      'UPDATE units SET messages = messages + ?, prompts = prompts + ?, place = ?, size = size + ?, committed = max(committed, ?) WHERE unit = ?',
      messages,
      prompts,
      nextPlace,
      size,
      Number(committed),
      unit,
    );
  }

  #meta(key: string): number {
    return Number(this.#statement('SELECT value FROM meta WHERE key = ?').get(key)?.['value'] ?? 0);
  }

  #count(key: string, by: number): void {
    if (by !== 0) this.#run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value', key, by);
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #run(sql: string, ...values: readonly unknown[]): void {
    this.#statement(sql).run(...values);
  }
}

const instantOf = (epoch: unknown): string | undefined => (typeof epoch === 'number' ? new Date(epoch).toISOString() : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function sessionOf(row: Row): StoredSession {
  const optional = {
    project: textOf(row['project']),
    branch: textOf(row['branch']),
    clientVersion: textOf(row['version']),
    title: textOf(row['title']),
    startedAt: instantOf(row['started']),
    endedAt: instantOf(row['ended']),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    unit: Number(row['unit']),
    facts: { sessionId: row['id'] as string, client: row['client'] as Client | typeof GIT, ...known },
    archive: row['archive'] as string,
    archiveBytes: Number(row['archived']),
    dropped: row['dropped'] === 1,
    source: row['source'] as string,
    messages: Number(row['messages']),
    prompts: Number(row['prompts']),
    nextPlace: Number(row['place']),
  };
}
