import { statSync } from 'node:fs';
import { Failure } from '../../../core/failure.ts';
import { openDatabase, type Database, type Statement } from '../binding.ts';
import { decodeSteps, orderReader } from '../../../core/episode/chunk-lists.ts';
import { type ExchangeOutline, readOutline, readTurns, type StoredTurn } from './exchanges.ts';
import { EPISODES_VERSION } from './schema.ts';
import { isDamage, removeIndex } from '../open.ts';

type Row = Readonly<Record<string, unknown>>;

/** Files of a session that are worth naming. */
const MOST_FILES = 200;
const BUSY_MS = 2_000;
const BLOCKS_AT_ONCE = 64;
/** About how many numbers a block holds. */
const IN_A_BLOCK = 250;
const FEWEST_BLOCKS = 4;
/** Maps the file into memory: a home of many projects would otherwise need as many caches. */
const MAPPED_BYTES = 2 ** 30;
/** The last three bits of a chunk's number are its kind; the first three kinds are speech. */
const IS_SPEECH = 'id % 8 < 3';
const NO_TERMS = new Uint8Array(0);

type UnitValues = readonly [
  unit: number,
  id: string,
  title: string | null,
  size: number,
  startedAt: number | null,
  endedAt: number | null,
  file: string,
  files: readonly string[],
];
type ChunkValues = readonly [id: number, text: string, messageId: string, at: number | null, speaker: string | null, asks: number | null];

interface Filter {
  readonly type?: string;
  readonly category?: string;
  readonly since?: number;
  readonly until?: number;
}

/** The index of a project's episodes for searches, behind recall's port. */
export class MessageSearchIndex {
  readonly #file: string;
  readonly #database: Database;
  readonly #project: string;
  readonly #statements = new Map<string, Statement>();
  /** Read once, until another connection has written. */
  #outline: { readonly version: unknown; readonly outline: ExchangeOutline } | undefined;

  constructor(file: string, project: string) {
    this.#file = file;
    this.#database = openDatabase(file);
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA mmap_size = ${MAPPED_BYTES};`);
    this.#project = project;
  }

  /** False for a database of another version, and for one that lacks part of the archive. */
  get isReadable(): boolean {
    if (Number(this.#get('PRAGMA user_version')?.['user_version'] ?? 0) !== EPISODES_VERSION) return false;
    return Number(this.#get("SELECT value FROM meta WHERE key = 'whole'")?.['value'] ?? 0) === 1;
  }

  size(): { readonly chunks: number; readonly units: number; readonly terms: number } {
    const counts = new Map(this.#all('SELECT key, value FROM meta').map((row) => [row['key'], Number(row['value'])]));
    return { chunks: counts.get('chunks') ?? 0, units: counts.get('units') ?? 0, terms: counts.get('terms') ?? 0 };
  }

  postings(terms: readonly string[], most: number): readonly { readonly ids: ArrayLike<number>; readonly count: number }[] {
    const wanted = Math.max(FEWEST_BLOCKS, Math.ceil(most / IN_A_BLOCK) + 1);
    const rows = this.#all(
      `SELECT t.term, t.number, t.chunks, p.block, p.count, p.last, p.ids FROM json_each(?) n
       JOIN terms t ON t.term = n.value JOIN postings p ON p.term = t.number AND p.block > t.block - ? ORDER BY t.number, p.block DESC`,
      JSON.stringify(terms),
      wanted,
    );
    const blocks = new Map<string, Row[]>();
    for (const row of rows) {
      const termRows = blocks.get(row['term'] as string);
      if (termRows === undefined) blocks.set(row['term'] as string, [row]);
      else termRows.push(row);
    }
    return terms.map((term) => {
      const termRows = blocks.get(term);
      if (termRows === undefined) return { ids: [], count: 0 };
      const count = termRows[0]?.['chunks'] as number;
      return { ids: this.#ids(termRows, Math.min(most, count)), count };
    });
  }

  units(numbers: readonly number[]) {
    return this.#list(
      `SELECT json_array(u.unit, u.id, u.title, u.size, u.started, u.ended, u.source,
         (SELECT json_group_array(path) FROM (SELECT path FROM files f WHERE f.unit = u.unit LIMIT ${MOST_FILES}))) AS row
       FROM json_each(?) n JOIN units u ON u.unit = n.value`,
      numbers,
    ).map((row) => this.#unit(row as UnitValues));
  }

  chunks(ids: readonly number[]) {
    return this.#list(
      `SELECT json_array(c.id, c.text, m.id, m.at, m.speaker, m.asks) AS row
       FROM json_each(?) n JOIN chunks c ON c.id = n.value JOIN messages m ON m.number = c.message`,
      ids,
    ).map((row) => chunkOf(row as ChunkValues));
  }

  orders(ids: readonly number[], terms: readonly string[]): readonly ArrayLike<number>[] {
    const read = orderReader(terms);
    const rows = this.#all('SELECT c.id, c.terms FROM json_each(?) n CROSS JOIN chunks c ON c.id = n.value', JSON.stringify(ids));
    const termsById = new Map(rows.map((row) => [row['id'], row['terms'] as Uint8Array]));
    return ids.map((id) => read(termsById.get(id) ?? NO_TERMS));
  }

  between(stretches: readonly (readonly [number, number])[]): readonly number[] {
    const ids = new Set<number>();
    for (const [first, last] of stretches)
      for (const row of this.#all('SELECT id FROM chunks WHERE id BETWEEN ? AND ?', first, last)) ids.add(row['id'] as number);
    return [...ids];
  }

  outline(): ExchangeOutline {
    const version = this.#get('PRAGMA data_version')?.['data_version'];
    if (this.#outline?.version !== version) this.#outline = { version, outline: readOutline((sql) => this.#all(sql)) };
    return (this.#outline as { readonly outline: ExchangeOutline }).outline;
  }

  turns(first: number, next: number): readonly StoredTurn[] {
    return readTurns((sql, ...values) => this.#all(sql, ...values), first, next);
  }

  /** This index holds sessions, not records. */
  recordsNamed(): readonly never[] {
    return [];
  }

  allowed({ type, category, since = -Infinity, until = Infinity }: Filter): ReadonlySet<number> {
    if ((type !== undefined && type !== 'session') || category !== undefined) return new Set();
    const rows = this.#all('SELECT unit FROM units WHERE coalesce(ended, ?1) >= ?1 AND coalesce(started, ?2 - 1) < ?2', bounded(since), bounded(until));
    return new Set(rows.map((row) => row['unit'] as number));
  }

  speakers(): readonly string[] {
    return this.#all('SELECT name FROM speakers').map((row) => row['name'] as string);
  }

  words(from: string, to: string): readonly string[] {
    const joined = this.#get("SELECT group_concat(word, ' ') AS words FROM (SELECT word FROM words WHERE word >= ? AND word < ? ORDER BY word)", from, to)?.[
      'words'
    ];
    return typeof joined === 'string' ? joined.split(' ') : [];
  }

  known(words: readonly string[]): readonly string[] {
    return this.#all('SELECT w.word FROM json_each(?) n JOIN words w ON w.word = n.value', JSON.stringify(words)).map((row) => row['word'] as string);
  }

  /** Texts to embed, by ascending number: only speech, because commands and code mean little to an embedding model. */
  texts(after: number, limit: number): readonly { readonly id: number; readonly text: string }[] {
    return this.#all(`SELECT id, text FROM chunks WHERE id > ? AND ${IS_SPEECH} ORDER BY id LIMIT ?`, after, limit).map((row) => ({
      id: row['id'] as number,
      text: row['text'] as string,
    }));
  }

  textCount(): number {
    return Number(this.#get(`SELECT count(*) AS n FROM chunks WHERE ${IS_SPEECH}`)?.['n'] ?? 0);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** The last numbers of a list; reads more blocks if these hold too few. Sorts if needed: a session that continued after others began is out of order. */
  #ids(blocks: Row[], most: number): ArrayLike<number> {
    let count = blocks.reduce((sum, row) => sum + countOf(row), 0);
    while (count < most) {
      const { number, block } = blocks.at(-1) as { readonly number: number; readonly block: number };
      const rows = this.#all(
        'SELECT term AS number, block, count, last, ids FROM postings WHERE term = ? AND block < ? ORDER BY block DESC LIMIT ?',
        number,
        block,
        BLOCKS_AT_ONCE,
      );
      for (const row of rows) count += countOf(row);
      blocks.push(...rows);
      if (rows.length < BLOCKS_AT_ONCE) break;
    }
    const ids = new Float64Array(count);
    let [place, last, isSorted] = [0, -1, true];
    for (const row of blocks.toReversed()) {
      const first = place;
      place = decodeSteps(row['ids'] as Uint8Array, ids, place);
      isSorted &&= (ids[first] as number) > last;
      last = row['last'] as number;
    }
    return (isSorted ? ids : ids.toSorted()).subarray(-most);
  }

  /** Reads all rows as one text, which is half the work of reading row by row. */
  #list(sql: string, numbers: readonly number[]): readonly (readonly unknown[])[] {
    if (numbers.length === 0) return [];
    const all = this.#get(`SELECT json_group_array(json(row)) AS found FROM (${sql})`, JSON.stringify(numbers))?.['found'];
    return JSON.parse(String(all)) as readonly (readonly unknown[])[];
  }

  #unit([unit, id, title, size, startedAt, endedAt, file, files]: UnitValues) {
    return {
      unit,
      type: 'session' as const,
      id,
      title: title ?? '',
      project: this.#project,
      size,
      ...(startedAt !== null && { startedAt }),
      ...(endedAt !== null && { endedAt }),
      ...(file !== '' && { file }),
      ...(files.length > 0 && { files }),
    };
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #get(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.#reading(() => this.#statement(sql).get(...values));
  }

  #all(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#reading(() => this.#statement(sql).all(...values));
  }

  /** Deletes a damaged index; the next open rebuilds it from the archive. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      if (!isDamage(cause)) throw new Failure('IO_ERROR', `the index of messages ${this.#file} cannot be read: ${(cause as Error).message}`, { cause });
      removeIndex(this.#file);
      throw new Failure('READ_ERROR', `the index of messages ${this.#file} was damaged`, { hint: 'the next search rebuilds it', cause });
    }
  }
}

/** A number takes a byte or more, so a damaged count cannot ask for more memory than the block has bytes. */
const countOf = (row: Row): number => Math.min(row['count'] as number, (row['ids'] as Uint8Array).length);

/** SQLite cannot compare infinity with whole numbers. */
const bounded = (value: number): number => Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));

function chunkOf([id, text, messageId, at, speaker, asks]: ChunkValues) {
  return { id, text, messageId, ...(at !== null && { at }), ...(speaker !== null && { speaker }), ...(asks !== null && { asks: true }) };
}

/** A project's message index by its file. `fileId` tells it from a later file of the same name. */
export const messageIndexFile = (file: string, key: string): { open(): MessageSearchIndex; fileId(): number } => ({
  open: () => new MessageSearchIndex(file, key),
  fileId: () => statSync(file, { throwIfNoEntry: false })?.ino ?? 0,
});
