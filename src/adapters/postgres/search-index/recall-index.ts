import { orderReader } from '../../../core/episode/chunk-lists.ts';
import type { TeamItem } from '../../../core/ports/team/search.ts';
import type { Sql } from '../sql.ts';
import { chunkNumbersIn } from './block-numbers.ts';

/** The scope of a search: one project, or all projects of an organisation. */
export interface SearchedProjects {
  readonly org: number;
  readonly project?: number;
}

interface Filter {
  readonly type?: string;
  readonly category?: string;
  readonly includeRetired?: boolean;
  readonly since?: number;
  readonly until?: number;
}

/** Blocks of a term's list, and the number of chunks that hold the term. */
interface Blocks {
  readonly count: number;
  readonly lists: readonly Buffer[];
}

const NO_TERMS = new Uint8Array(0);
/** About how many numbers a full block holds. */
const IN_A_BLOCK = 500;
const FEWEST_BLOCKS = 4;
/** The project number of the rows that hold totals over all projects. */
const ALL_PROJECTS = 0;

/** The port of recall on PostgreSQL, within one transaction; ranking is the same code as on files. */
export class PostgresRecallIndex {
  private readonly sql: Sql;
  readonly #org: number;
  readonly #project: number | undefined;
  /** The order of terms in the chunks that were read. */
  readonly #orders = new Map<number, Buffer>();
  #overviewQuery: Promise<Overview> | undefined;
  #includeRetired = false;

  constructor(sql: Sql, { org, project }: SearchedProjects) {
    this.sql = sql;
    this.#org = org;
    this.#project = project;
  }

  async size(): Promise<{ readonly chunks: number; readonly units: number; readonly terms: number }> {
    const { chunks, units, terms } = await this.#overview();
    return { chunks: Number(chunks), units: Number(units), terms: Number(terms) };
  }

  async speakers(): Promise<readonly string[]> {
    return (await this.#overview()).speakers;
  }

  /** What every search needs first, in one statement. */
  #overview(): Promise<Overview> {
    return (this.#overviewQuery ??= this.sql<Overview>`
      select coalesce(sum(chunks), 0) as chunks, coalesce(sum(units), 0) as units, coalesce(sum(terms), 0) as terms,
        array(select name from speakers where org = ${this.#org} and project = ${this.#project ?? ALL_PROJECTS}) as speakers
      from index_sizes where org = ${this.#org} and project between ${this.#project ?? 0} and ${this.#project ?? 2 ** 31 - 1}`.then(
      ([row]) => row as Overview,
    ));
  }

  async postings(terms: readonly string[], most: number): Promise<readonly { readonly ids: ArrayLike<number>; readonly count: number }[]> {
    const results = new Map<string, { ids: ArrayLike<number>; count: number }>();
    // Blocks vary in length: a term whose blocks hold too few numbers is read again, with more blocks.
    for (let [open, extra] = [terms, FEWEST_BLOCKS]; open.length > 0; extra *= 8) {
      const blocks = await (this.#project === undefined ? this.#blocksOfAll(open, most, extra) : this.#blocksOf(this.#project, open, most, extra));
      const short: string[] = [];
      for (const [term, { count, lists }] of blocks) {
        const ids = chunkNumbersIn(lists);
        results.set(term, { ids: ids.subarray(Math.max(0, ids.length - most)), count });
        if (ids.length < Math.min(most, count) && lists.length >= extra) short.push(term);
      }
      open = short;
    }
    return terms.map((term) => results.get(term) ?? { ids: [], count: 0 });
  }

  async #blocksOf(project: number, terms: readonly string[], most: number, extra: number): Promise<ReadonlyMap<string, Blocks>> {
    const rows = await this.sql<TermBlocks>`
      select n.term, t.chunks, p.packed from unnest(${terms}::text[]) n (term)
      cross join lateral (select chunks from terms where org = ${this.#org} and term = n.term and project = ${project} limit 1) t
      cross join lateral (select string_agg(int4send(length(ids)) || ids, '') as packed from (
        select ids from postings where org = ${this.#org} and project = ${project} and term = n.term order by block desc limit ${Math.ceil(most / IN_A_BLOCK) + extra}) b) p`;
    return unpacked(rows);
  }

  /** The blocks with the highest last numbers of all projects, since numbers grow with time; as many as hold enough if blocks are equally full. */
  async #blocksOfAll(terms: readonly string[], most: number, extra: number): Promise<ReadonlyMap<string, Blocks>> {
    const rows = await this.sql<TermBlocks>`
      select n.term, t.chunks, p.packed from unnest(${terms}::text[]) n (term)
      cross join lateral (select sum(chunks)::integer as chunks, sum(block + 1)::integer as blocks from terms where org = ${this.#org} and term = n.term) t
      cross join lateral (select string_agg(int4send(length(ids)) || ids, '') as packed from (
        select ids from postings where org = ${this.#org} and term = n.term order by last desc
        limit ${extra}::integer + least(t.blocks, 2 * ${most}::bigint * t.blocks / greatest(t.chunks, 1))) b) p
      where t.chunks > 0`;
    return unpacked(rows);
  }

  /** Leaves out retired and archived ones, unless the search includes them. */
  async units(numbers: readonly number[]) {
    const rows = await this.sql<UnitValues>`
      select u.unit, u.id, u.kind, u.name, u.facts, u.title, u.size, u.started, u.ended, u.source, u.files, p.key from unnest(${numbers}::integer[]) n (unit)
      cross join lateral (select * from units where org = ${this.#org} and unit = n.unit limit 1) u
      cross join lateral (select key from projects where org = ${this.#org} and project = u.project limit 1) p`;
    return rows.filter((row) => this.#isIncluded(row)).map((row) => this.#unitOf(row));
  }

  #isIncluded({ facts }: UnitValues): boolean {
    return this.#includeRetired || facts === null || facts.status === 'active';
  }

  /** Names are unique only within a project: across projects, one record does not supersede another by name. */
  #unitOf(row: UnitValues) {
    const { supersededBy, ...unit } = unitOf(row);
    return this.#project === undefined || supersededBy === undefined ? unit : { ...unit, supersededBy };
  }

  /** Also reads the order of their terms, which ranking needs next: one query is cheaper than two. */
  async chunks(ids: readonly number[]) {
    const rows = await this.sql<ChunkValues>`
      select c.chunk, c.content, c.message, c.at, c.speaker, c.asks, c.terms from unnest(${ids}::bigint[]) n (chunk)
      cross join lateral (select * from chunks where org = ${this.#org} and chunk = n.chunk limit 1) c`;
    return rows.map(({ chunk, content, message, at, speaker, asks, terms }) => {
      this.#orders.set(Number(chunk), terms);
      return {
        id: Number(chunk),
        text: content,
        messageId: message,
        ...(at !== null && { at: Number(at) }),
        ...(speaker !== null && { speaker }),
        ...(asks && { asks: true }),
      };
    });
  }

  async orders(ids: readonly number[], terms: readonly string[]): Promise<readonly ArrayLike<number>[]> {
    const unread = ids.filter((id) => !this.#orders.has(id));
    if (unread.length > 0) await this.chunks(unread);
    const read = orderReader(terms);
    return ids.map((id) => read(this.#orders.get(id) ?? NO_TERMS));
  }

  async between(stretches: readonly (readonly [number, number])[]): Promise<readonly number[]> {
    if (stretches.length === 0) return [];
    const rows = await this.sql<{ chunk: string }>`
      select distinct c.chunk from unnest(${stretches.map(([first]) => first)}::bigint[], ${stretches.map(([, last]) => last)}::bigint[]) s (first, last)
      cross join lateral (select chunk from chunks where org = ${this.#org} and chunk between s.first and s.last order by chunk limit 100000) c`;
    return rows.map(({ chunk }) => Number(chunk));
  }

  async recordsNamed(ids: readonly string[]) {
    if (this.#project === undefined || ids.length === 0) return [];
    const names = ids.map((id) => id.slice(id.lastIndexOf('/') + 1));
    const rows = await this.sql<UnitValues>`
      select u.unit, u.id, u.kind, u.name, u.facts, u.title, u.size, u.started, u.ended, u.source, u.files, p.key from units u
      join projects p on p.org = u.org and p.project = u.project
      where u.org = ${this.#org} and u.name = any(${names}) and u.project = ${this.#project} and u.kind = 'record'`;
    return rows.map((row) => this.#unitOf(row));
  }

  async allowed({ type, category, since, until, includeRetired }: Filter): Promise<ReadonlySet<number> | undefined> {
    this.#includeRetired = includeRetired === true;
    if (type === undefined && category === undefined && since === undefined && until === undefined) return undefined;
    const kinds = category === undefined ? (type === undefined ? ['session', 'record', 'document'] : [type]) : ['record'];
    const [from, to] = [Math.max(since ?? 0, 0), Math.min(until ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)];
    const rows = await this.sql<{ unit: number }>`
      select unit from units where org = ${this.#org} and project between ${this.#project ?? 0} and ${this.#project ?? 2 ** 31 - 1}
      and kind = any(${kinds}) and (${category ?? null}::text is null or facts ->> 'category' = ${category ?? null})
      and coalesce(ended, ${from}::bigint) >= ${from}::bigint and coalesce(started, ${to}::bigint - 1) < ${to}::bigint`;
    return new Set(rows.map(({ unit }) => unit));
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

const LENGTH_BYTES = 4;

/** Splits the blocks of each term: they come concatenated, each after its length. */
function unpacked(rows: readonly TermBlocks[]): ReadonlyMap<string, Blocks> {
  return new Map(
    rows.map(({ term, chunks, packed }) => {
      const lists: Buffer[] = [];
      const bytes = packed ?? Buffer.alloc(0);
      for (let at = 0; at < bytes.length;) {
        const start = at + LENGTH_BYTES;
        at = start + bytes.readInt32BE(at);
        lists.push(bytes.subarray(start, at));
      }
      return [term, { count: chunks, lists }];
    }),
  );
}

interface Overview {
  readonly chunks: string;
  readonly units: string;
  readonly terms: string;
  readonly speakers: readonly string[];
}

interface TermBlocks {
  readonly term: string;
  readonly chunks: number;
  readonly packed: Buffer | null;
}

interface ChunkValues {
  readonly chunk: string;
  readonly content: string;
  readonly message: string;
  readonly at: string | null;
  readonly speaker: string | null;
  readonly asks: boolean;
  readonly terms: Buffer;
}

interface UnitValues {
  readonly unit: number;
  readonly id: string;
  readonly kind: 'session' | TeamItem['type'];
  readonly name: string | null;
  readonly facts: Pick<TeamItem, 'category' | 'status' | 'trust' | 'supersededBy'> | null;
  readonly title: string | null;
  readonly size: number;
  readonly started: string | null;
  readonly ended: string | null;
  readonly source: string;
  readonly files: readonly string[];
  readonly key: string;
}

const unitOf = ({ unit, id, kind, name, facts, title, size, started, ended, source, files, key }: UnitValues) => ({
  unit,
  type: kind,
  id: name ?? id,
  title: title ?? '',
  project: key,
  size,
  ...(started !== null && { startedAt: Number(started) }),
  ...(ended !== null && { endedAt: Number(ended) }),
  ...(source !== '' && { file: source }),
  ...(files.length > 0 && { files }),
  ...facts,
});
