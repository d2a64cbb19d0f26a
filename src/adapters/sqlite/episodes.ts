import type { Client, SessionFacts } from '../../core/episode.ts';
import { epochOf } from '../../core/instant.ts';
import type { EpisodeAddition, EpisodeChange, EpisodeIndex, NewChunk, NewEntry, StoredSession } from '../../core/ports/episodes.ts';
import type { Database, Statement } from './binding.ts';
import { openDerived } from './episodes-open.ts';
import { PostingsWriter } from './episodes-postings.ts';
import { EPISODES_SCHEMA, EPISODES_VERSION } from './episodes-schema.ts';

type Row = Readonly<Record<string, unknown>>;
const COMMAND_LIMIT = 500;

/** The index of a project's episodes in SQLite: the side that writes, and what is asked of single sessions. */
export class SqliteEpisodes implements EpisodeIndex {
  readonly #database: Database;
  readonly #postings: PostingsWriter;
  readonly #statements = new Map<string, Statement>();
  #words = new Set<string>();
  #wrote = false;

  constructor(file: string) {
    this.#database = openDerived(file, EPISODES_SCHEMA, EPISODES_VERSION).database;
    this.#postings = new PostingsWriter(this.#database);
  }

  begin(): EpisodeChange {
    this.#database.exec('BEGIN IMMEDIATE');
    return this.#change;
  }

  commit(): void {
    this.#postings.flush((key, value) => this.#run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value));
    this.#database.exec('COMMIT');
    this.#wrote = true;
  }

  rollback(): void {
    this.#postings.clear();
    this.#words = new Set();
    this.#database.exec('ROLLBACK');
  }

  session(id: string): StoredSession | undefined {
    const row = this.#statement('SELECT * FROM units WHERE id = ?').get(id);
    return row && sessionOf(row);
  }

  sessions(limit: number): readonly StoredSession[] {
    return this.#statement('SELECT * FROM units ORDER BY ended DESC, unit DESC LIMIT ?').all(limit).map(sessionOf);
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
    whole: () => this.#run("INSERT OR REPLACE INTO meta (key, value) VALUES ('whole', 1)"),
    dropText: (unit) => {
      this.#change.archived(unit, 0);
      this.#run('UPDATE units SET dropped = 1 WHERE unit = ?', unit);
    },
  };

  /** Project and start stay as they were first known; the rest follows what was told last. */
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

  #put(unit: number, { entries, chunks, nextPlace, size, words }: EpisodeAddition): void {
    const spans = spansOf(chunks);
    const numbers = new Map<string, number>();
    let [messages, prompts, added] = [0, 0, 0];
    for (const entry of entries) {
      numbers.set(entry.id, this.#entry(unit, entry, spans.get(entry.id)));
      if (entry.known) continue;
      if (entry.role !== 'compaction') messages++;
      if (entry.role === 'user') prompts++;
    }
    const insert = this.#statement('INSERT OR IGNORE INTO chunks (id, message, text) VALUES (?, ?, ?)');
    for (const { id, text, messageId, terms } of chunks) {
      if (Number(insert.run(id, numbers.get(messageId ?? '') ?? 0, text).changes) === 0) continue;
      this.#postings.add(id, terms);
      added++;
    }
    for (const word of words) this.#addWord(word);
    this.#count('chunks', added);
    this.#count('terms', size);
    this.#run(
      'UPDATE units SET messages = messages + ?, prompts = prompts + ?, place = ?, size = size + ? WHERE unit = ?',
      messages,
      prompts,
      nextPlace,
      size,
      unit,
    );
  }

  /** A word that was met once by this process needs no second look. */
  #addWord(word: string): void {
    if (this.#words.has(word)) return;
    this.#words.add(word);
    this.#run('INSERT OR IGNORE INTO words (word) VALUES (?)', word);
  }

  #entry(unit: number, entry: NewEntry, span: Span | undefined): number {
    const { id, role, size, at = null, speaker = null, asks, files, commands } = entry;
    const [first, last] = [span?.first ?? null, span?.last ?? null];
    const values = [role, size, at, speaker, asks === true ? 1 : null, first, last];
    const number = entry.known ? this.#replaced(unit, id, values) : this.#added(unit, id, values);
    for (const file of files) this.#run('INSERT OR IGNORE INTO files (unit, path) VALUES (?, ?)', unit, file);
    commands.forEach((command, nth) =>
      this.#run('INSERT OR REPLACE INTO commands (message, nth, command) VALUES (?, ?, ?)', number, nth, command.slice(0, COMMAND_LIMIT)),
    );
    if (speaker !== null) this.#run('INSERT OR IGNORE INTO speakers (name) VALUES (?)', speaker);
    return number;
  }

  #added(unit: number, id: string, values: readonly unknown[]): number {
    const insert = this.#statement('INSERT INTO messages (unit, id, role, size, at, speaker, asks, first, last) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    return Number(insert.run(unit, id, ...values).lastInsertRowid);
  }

  #replaced(unit: number, id: string, values: readonly unknown[]): number {
    const known = this.#statement('SELECT number, first, last FROM messages WHERE unit = ? AND id = ?').get(unit, id);
    const number = Number(known?.['number']);
    this.#removeChunks(number, known?.['first'], known?.['last']);
    this.#run('UPDATE messages SET role = ?, size = ?, at = ?, speaker = ?, asks = ?, first = ?, last = ? WHERE number = ?', ...values, number);
    return number;
  }

  /** The lists keep the numbers of what is gone; a search that meets one finds no chunk there. */
  #removeChunks(message: number, first: unknown, last: unknown): void {
    if (first === null) return;
    const { changes } = this.#statement('DELETE FROM chunks WHERE id BETWEEN ? AND ? AND message = ?').run(first, last, message);
    this.#count('chunks', -Number(changes));
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

interface Span {
  readonly first: number;
  readonly last: number;
}

/** The numbers between which the chunks of each message lie. */
function spansOf(chunks: readonly NewChunk[]): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  for (const { id, messageId = '' } of chunks) {
    const span = spans.get(messageId);
    spans.set(messageId, { first: Math.min(span?.first ?? id, id), last: Math.max(span?.last ?? id, id) });
  }
  return spans;
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
    facts: { sessionId: row['id'] as string, client: row['client'] as Client, ...known },
    archive: row['archive'] as string,
    archiveBytes: Number(row['archived']),
    dropped: row['dropped'] === 1,
    source: row['source'] as string,
    messages: Number(row['messages']),
    prompts: Number(row['prompts']),
    nextPlace: Number(row['place']),
  };
}
