import { decodeSteps, orderReader } from '../../../core/episode/chunk-lists.ts';
import type { Sql } from '../sql.ts';

/** What a search of messages looks at: one project, or all of an organisation. */
export interface SearchedMessages {
  readonly org: number;
  readonly project?: number;
}

interface Filter {
  readonly type?: string;
  readonly category?: string;
  readonly since?: number;
  readonly until?: number;
}

interface Blocks {
  readonly count: number;
  readonly lists: Buffer[];
}

const NO_TERMS = new Uint8Array(0);
/** About how many numbers a full block holds. */
const IN_A_BLOCK = 500;
const FEWEST_BLOCKS = 4;
/** Stands for all projects in tables that would otherwise have to be added up. */
const ALL_PROJECTS = 0;

/** The port of recall on PostgreSQL, within one transaction; ranking is the same code as on files. */
export class PostgresRecallIndex {
  private readonly sql: Sql;
  readonly #org: number;
  readonly #project: number | undefined;

  constructor(sql: Sql, { org, project }: SearchedMessages) {
    this.sql = sql;
    this.#org = org;
    this.#project = project;
  }

  async size(): Promise<{ readonly chunks: number; readonly units: number; readonly terms: number }> {
    const [row] = await this.sql<Record<'chunks' | 'units' | 'terms', string>>`
      select coalesce(sum(chunks), 0) as chunks, coalesce(sum(units), 0) as units, coalesce(sum(terms), 0) as terms from index_sizes
      where org = ${this.#org} and project between ${this.#project ?? 0} and ${this.#project ?? 2 ** 31 - 1}`;
    return { chunks: Number(row?.chunks), units: Number(row?.units), terms: Number(row?.terms) };
  }

  async postings(terms: readonly string[], most: number): Promise<readonly { readonly ids: ArrayLike<number>; readonly count: number }[]> {
    if (terms.length === 0) return [];
    let wanted = Math.max(FEWEST_BLOCKS, Math.ceil(most / IN_A_BLOCK) + 1);
    const found = new Map<string, { ids: ArrayLike<number>; count: number }>();
    // Blocks that were never filled hold less than they might: then more of them are read.
    for (let open: readonly string[] = terms; open.length > 0; wanted *= 8) {
      const blocks = await (this.#project === undefined ? this.#blocksOfAll(open, wanted) : this.#blocksOf(this.#project, open, wanted));
      const short: string[] = [];
      for (const [term, { count, lists }] of blocks) {
        const ids = numbersIn(lists);
        found.set(term, { ids: ids.subarray(Math.max(0, ids.length - most)), count });
        if (ids.length < Math.min(most, count) && lists.length >= wanted) short.push(term);
      }
      open = short;
    }
    return terms.map((term) => found.get(term) ?? { ids: [], count: 0 });
  }

  async #blocksOf(project: number, terms: readonly string[], wanted: number): Promise<ReadonlyMap<string, Blocks>> {
    const rows = await this.sql<{ term: string; chunks: number; ids: Buffer }>`
      select n.term, t.chunks, p.ids from unnest(${terms}::text[]) n (term)
      cross join lateral (select chunks from terms where org = ${this.#org} and term = n.term and project = ${project} limit 1) t
      cross join lateral (select ids from postings where org = ${this.#org} and project = ${project} and term = n.term order by block desc limit ${wanted}) p`;
    return grouped(rows);
  }

  /** Of all projects the blocks that end last: numbers grow with time. */
  async #blocksOfAll(terms: readonly string[], wanted: number): Promise<ReadonlyMap<string, Blocks>> {
    const rows = await this.sql<{ term: string; chunks: number; ids: Buffer }>`
      select n.term, (select sum(t.chunks)::integer from terms t where t.org = ${this.#org} and t.term = n.term) as chunks, p.ids from unnest(${terms}::text[]) n (term)
      cross join lateral (select ids from postings p where p.org = ${this.#org} and p.term = n.term order by p.last desc limit ${wanted}) p`;
    return grouped(rows);
  }

  async units(numbers: readonly number[]) {
    const rows = await this.sql<UnitValues>`
      select u.unit, u.id, u.title, u.size, u.started, u.ended, u.branch, u.source, u.files, p.key from unnest(${numbers}::integer[]) n (unit)
      cross join lateral (select * from units where org = ${this.#org} and unit = n.unit limit 1) u
      cross join lateral (select key from projects where org = ${this.#org} and project = u.project limit 1) p`;
    return rows.map(unitOf);
  }

  async chunks(ids: readonly number[]) {
    const rows = await this.sql<{ chunk: string; content: string; message: string; at: string | null; speaker: string | null; asks: boolean }>`
      select c.chunk, c.content, c.message, c.at, c.speaker, c.asks from unnest(${ids}::bigint[]) n (chunk)
      cross join lateral (select * from chunks where org = ${this.#org} and chunk = n.chunk limit 1) c`;
    return rows.map(({ chunk, content, message, at, speaker, asks }) => ({
      id: Number(chunk),
      text: content,
      messageId: message,
      ...(at !== null && { at: Number(at) }),
      ...(speaker !== null && { speaker }),
      ...(asks && { asks: true }),
    }));
  }

  async orders(ids: readonly number[], terms: readonly string[]): Promise<readonly ArrayLike<number>[]> {
    const read = orderReader(terms);
    const rows = await this.sql<{ chunk: string; terms: Buffer }>`
      select c.chunk, c.terms from unnest(${ids}::bigint[]) n (chunk)
      cross join lateral (select chunk, terms from chunks where org = ${this.#org} and chunk = n.chunk limit 1) c`;
    const found = new Map(rows.map((row) => [Number(row.chunk), row.terms]));
    return ids.map((id) => read(found.get(id) ?? NO_TERMS));
  }

  async between(stretches: readonly (readonly [number, number])[]): Promise<readonly number[]> {
    const rows = await this.sql<{ chunk: string }>`
      select distinct c.chunk from unnest(${stretches.map(([first]) => first)}::bigint[], ${stretches.map(([, last]) => last)}::bigint[]) s (first, last)
      cross join lateral (select chunk from chunks where org = ${this.#org} and chunk between s.first and s.last order by chunk limit 100000) c`;
    return rows.map(({ chunk }) => Number(chunk));
  }

  /** Sessions are no records. */
  recordsNamed(): readonly never[] {
    return [];
  }

  async allowed({ type, category, since, until }: Filter): Promise<ReadonlySet<number> | undefined> {
    if ((type !== undefined && type !== 'session') || category !== undefined) return new Set();
    if (since === undefined && until === undefined) return undefined;
    const [from, to] = [Math.max(since ?? 0, 0), Math.min(until ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)];
    const rows = await this.sql<{ unit: number }>`
      select unit from units where org = ${this.#org} and project between ${this.#project ?? 0} and ${this.#project ?? 2 ** 31 - 1}
      and coalesce(ended, ${from}::bigint) >= ${from}::bigint and coalesce(started, ${to}::bigint - 1) < ${to}::bigint`;
    return new Set(rows.map(({ unit }) => unit));
  }

  async speakers(): Promise<readonly string[]> {
    const rows = await this.sql<{ name: string }>`select name from speakers where org = ${this.#org} and project = ${this.#project ?? ALL_PROJECTS}`;
    return rows.map(({ name }) => name);
  }

  async words(from: string, to: string): Promise<readonly string[]> {
    const rows = await this.sql<{ word: string }>`
      select word from words where org = ${this.#org} and project = ${this.#project ?? ALL_PROJECTS} and word >= ${from} and word < ${to} order by word`;
    return rows.map(({ word }) => word);
  }

  async known(words: readonly string[]): Promise<readonly string[]> {
    const rows = await this.sql<{ word: string }>`
      select n.word from unnest(${words}::text[]) n (word)
      cross join lateral (select from words where org = ${this.#org} and project = ${this.#project ?? ALL_PROJECTS} and word = n.word limit 1) w`;
    return rows.map(({ word }) => word);
  }
}

function grouped(rows: readonly { readonly term: string; readonly chunks: number; readonly ids: Buffer }[]): ReadonlyMap<string, Blocks> {
  const found = new Map<string, Blocks>();
  for (const { term, chunks, ids } of rows) {
    const known = found.get(term);
    if (known) known.lists.push(ids);
    else found.set(term, { count: chunks, lists: [ids] });
  }
  return found;
}

/** All numbers of some blocks, ascending. */
function numbersIn(lists: readonly Buffer[]): Float64Array {
  // A number takes a byte or more.
  const room = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let place = 0;
  for (const list of lists) place = decodeSteps(list, room, place);
  return room.subarray(0, place).toSorted();
}

interface UnitValues {
  readonly unit: number;
  readonly id: string;
  readonly title: string | null;
  readonly size: number;
  readonly started: string | null;
  readonly ended: string | null;
  readonly branch: string | null;
  readonly source: string;
  readonly files: readonly string[];
  readonly key: string;
}

const unitOf = ({ unit, id, title, size, started, ended, branch, source, files, key }: UnitValues) => ({
  unit,
  type: 'session' as const,
  id,
  title: title ?? '',
  project: key,
  size,
  ...(started !== null && { startedAt: Number(started) }),
  ...(ended !== null && { endedAt: Number(ended) }),
  ...(branch !== null && { branch }),
  ...(source !== '' && { file: source }),
  ...(files.length > 0 && { files }),
});
