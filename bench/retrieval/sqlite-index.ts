import { KIND_NUMBER, kindNumberOf, unitOf } from '../../src/recall/chunk-id.ts';
import type { ChunkRow, IndexSize, Postings, RecallIndex, UnitFilter, UnitRow } from '../../src/recall/port.ts';
import type { IndexedChunk } from '../../src/recall/rows/episode.ts';
import { wordsOf } from '../../src/recall/words.ts';
import type { Database, Statement } from '../../src/adapters/sqlite/binding.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS units (unit INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, size INTEGER NOT NULL, started REAL, ended REAL, facts TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS units_by_id ON units (id);
  CREATE TABLE IF NOT EXISTS chunks (id INTEGER PRIMARY KEY, message TEXT, at REAL, speaker TEXT, asks INTEGER, text TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sizes (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS speakers (name TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5(held, content='', contentless_delete=1, detail=none, columnsize=1, tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'");
`;

/** The port on SQLite: FTS5 keeps the postings, one term is asked for at a time and answers with numbers only. */
export class SqliteRecallIndex implements RecallIndex {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  #known = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
    database.exec(SCHEMA);
  }

  add(row: UnitRow, chunks: readonly IndexedChunk[]): void {
    this.#statement('INSERT OR REPLACE INTO units (unit, type, id, size, started, ended, facts) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
      row.unit,
      row.type,
      row.id,
      row.size,
      row.startedAt ?? null,
      row.endedAt ?? null,
      JSON.stringify(row),
    );
    const chunk = this.#statement('INSERT INTO chunks (id, message, at, speaker, asks, text) VALUES (?, ?, ?, ?, ?, ?)');
    const terms = this.#statement('INSERT INTO terms (rowid, held) VALUES (?, ?)');
    const word = this.#statement('INSERT OR IGNORE INTO words (word) VALUES (?)');
    const speaker = this.#statement('INSERT OR IGNORE INTO speakers (name) VALUES (?)');
    const fresh = new Set<string>();
    let length = 0;
    for (const one of chunks) {
      chunk.run(one.id, one.messageId ?? null, one.at ?? null, one.speaker ?? null, one.asks ? 1 : null, one.text);
      terms.run(one.id, one.terms.join(' '));
      if (kindNumberOf(one.id) !== KIND_NUMBER.code) length += one.terms.length;
      if (one.speaker !== undefined && !this.#known.has(`@${one.speaker}`)) {
        speaker.run(one.speaker);
        this.#known.add(`@${one.speaker}`);
      }
      wordsOf(one.text, fresh);
    }
    if (this.#known.size > 200_000) this.#known = new Set();
    for (const one of fresh) {
      if (this.#known.has(one)) continue;
      this.#known.add(one);
      word.run(one);
    }
    this.#count('chunks', chunks.length);
    this.#count('units', 1);
    this.#count('terms', length);
  }

  size(): IndexSize {
    const rows = this.#statement('SELECT key, value FROM sizes').all();
    const value = (key: string): number => Number(rows.find((row) => row['key'] === key)?.['value'] ?? 0);
    return { chunks: value('chunks'), units: value('units'), terms: value('terms') };
  }

  postings(terms: readonly string[], most: number): readonly Postings[] {
    const all = this.#statement(
      `SELECT json_group_array((SELECT group_concat(rowid) FROM (SELECT rowid FROM terms WHERE terms MATCH '"' || asked.value || '"' ORDER BY rowid DESC LIMIT ?))) AS lists
       FROM json_each(?) asked`,
    );
    const lists = JSON.parse(all.get(most + 1, JSON.stringify(terms))?.['lists'] as string) as (string | null)[];
    return lists.map((list) => {
      const ids = numbersIn(list).reverse();
      return ids.length <= most ? { ids, count: ids.length } : { ids: ids.subarray(1), count: this.#estimate(ids) };
    });
  }

  /** The last so many stand in the last so many units: all stand in all units, about. */
  #estimate(ids: Float64Array): number {
    const { units } = this.size();
    const spanned = unitOf(ids[ids.length - 1] as number) - unitOf(ids[0] as number) + 1;
    return Math.round((ids.length * Math.max(units, spanned)) / spanned);
  }

  units(numbers: readonly number[]): readonly UnitRow[] {
    const all = this.#statement("SELECT '[' || group_concat(facts) || ']' AS rows FROM units WHERE unit IN (SELECT value FROM json_each(?))");
    return JSON.parse((all.get(JSON.stringify(numbers))?.['rows'] as string | null) ?? '[]') as UnitRow[];
  }

  chunks(ids: readonly number[]): readonly ChunkRow[] {
    const all = this.#statement(
      'SELECT json_group_array(json_array(id, text, message, at, speaker, asks)) AS rows FROM chunks WHERE id IN (SELECT value FROM json_each(?))',
    );
    const rows = JSON.parse(all.get(JSON.stringify(ids))?.['rows'] as string) as [number, string, string | null, number | null, string | null, number | null][];
    return rows.map(([id, text, message, at, speaker, asks]) => ({
      id,
      text,
      ...(message === null ? {} : { messageId: message }),
      ...(at === null ? {} : { at }),
      ...(speaker === null ? {} : { speaker }),
      ...(asks === null ? {} : { asks: true }),
    }));
  }

  between(stretches: readonly (readonly [number, number])[]): readonly number[] {
    if (stretches.length === 0) return [];
    const all = this.#statement(
      'SELECT group_concat(DISTINCT c.id) AS ids FROM json_each(?) s CROSS JOIN chunks c WHERE c.id BETWEEN s.value ->> 0 AND s.value ->> 1',
    );
    return [...numbersIn(all.get(JSON.stringify(stretches))?.['ids'])];
  }

  recordsNamed(ids: readonly string[]): readonly UnitRow[] {
    const one = this.#statement("SELECT facts FROM units WHERE id = ? AND type = 'record'");
    return ids.flatMap((id) => rowOf(one.get(id)) ?? []);
  }

  allowed({ type, since = -Infinity, until = Infinity }: UnitFilter): ReadonlySet<number> {
    const rows = this.#statement('SELECT unit, type, started, ended FROM units').all();
    const fits = (row: Record<string, unknown>): boolean =>
      (type === undefined || row['type'] === type) && Number(row['ended'] ?? Infinity) >= since && Number(row['started'] ?? -Infinity) < until;
    return new Set(rows.filter(fits).map((row) => row['unit'] as number));
  }

  speakers(): readonly string[] {
    return this.#statement('SELECT name FROM speakers')
      .all()
      .map((row) => row['name'] as string);
  }

  words(from: string, to: string): readonly string[] {
    return this.#statement('SELECT word FROM words WHERE word >= ? AND word < ?')
      .all(from, to)
      .map((row) => row['word'] as string);
  }

  #count(key: string, by: number): void {
    this.#statement('INSERT INTO sizes (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value').run(key, by);
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}

const rowOf = (row: Record<string, unknown> | undefined): UnitRow | undefined =>
  row === undefined ? undefined : (JSON.parse(row['facts'] as string) as UnitRow);

/** Digits and commas to numbers: rows would cost ten times as much. */
function numbersIn(list: unknown): Float64Array {
  if (typeof list !== 'string' || list === '') return new Float64Array(0);
  let length = 1;
  for (let at = list.indexOf(','); at >= 0; at = list.indexOf(',', at + 1)) length++;
  const numbers = new Float64Array(length);
  let number = 0;
  let next = 0;
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at);
    if (code === 44) {
      numbers[next++] = number;
      number = 0;
    } else number = number * 10 + code - 48;
  }
  numbers[next] = number;
  return numbers;
}
