import { decodeSteps, encodeSteps } from '../../../core/episode/chunk-lists.ts';
import type { Sql } from '../sql.ts';

/** Bytes in a block: two or three to a page, so that adding to one rewrites little. */
const BLOCK = 2_000;
/** Numbers put into a block at once; a number takes up to eight bytes, mostly two or three. */
const AT_ONCE = 600;

interface Tail {
  readonly term: string;
  readonly chunks: number;
  readonly block: number;
  readonly count: number;
  readonly last: string;
  readonly ids: Buffer;
}

interface Block {
  readonly term: string;
  readonly block: number;
  readonly count: number;
  readonly last: number;
  readonly ids: Uint8Array;
}

/** Adds chunks to the lists of their terms: to the last block if it has room and the order allows it, else in new blocks. */
export async function savePostings(
  sql: Sql,
  { org, project }: { readonly org: number; readonly project: number },
  chunksByTerm: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const names = [...chunksByTerm.keys()].toSorted();
  if (names.length === 0) return;
  const tails = await sql<Tail>`
    select n.term, t.chunks, t.block, p.count, p.last, p.ids from unnest(${names}::text[]) n (term)
    cross join lateral (select chunks, block from terms where org = ${org} and term = n.term and project = ${project} limit 1) t
    cross join lateral (select count, last, ids from postings where org = ${org} and project = ${project} and term = n.term and block = t.block limit 1) p`;
  const known = new Map(tails.map((tail) => [tail.term, tail]));
  const blocks: Block[] = [];
  const terms = names.map((term) => {
    const ids = chunksByTerm.get(term) ?? [];
    const tail = known.get(term);
    const last = tail ? extendTail(tail, ids, blocks) : addBlocks(term, 0, ids, 0, blocks);
    return { term, chunks: ids.length + (tail?.chunks ?? 0), block: last };
  });
  await sql`
    insert into terms (org, project, term, chunks, block)
    select ${org}, ${project}, * from unnest(${names}::text[], ${terms.map(({ chunks }) => chunks)}::integer[], ${terms.map(({ block }) => block)}::integer[])
    on conflict (org, term, project) do update set chunks = excluded.chunks, block = excluded.block`;
  await sql`
    insert into postings (org, project, term, block, count, last, ids)
    select ${org}, ${project}, * from unnest(${blocks.map(({ term }) => term)}::text[], ${blocks.map(({ block }) => block)}::integer[], ${blocks.map(({ count }) => count)}::integer[],
      ${blocks.map(({ last }) => last)}::bigint[], ${blocks.map(({ ids }) => ids)}::bytea[])
    on conflict (org, project, term, block) do update set count = excluded.count, last = excluded.last, ids = excluded.ids`;
}

function extendTail(tail: Tail, ids: readonly number[], into: Block[]): number {
  const last = Number(tail.last);
  const fits = Math.min(ids.length, Math.floor((BLOCK - tail.ids.length) / 3));
  if (fits <= 0 || (ids[0] ?? 0) <= last) return addBlocks(tail.term, tail.block + 1, ids, 0, into);
  into.push({
    term: tail.term,
    block: tail.block,
    count: tail.count + fits,
    last: ids[fits - 1] ?? last,
    ids: Buffer.concat([tail.ids, encodeSteps(ids, 0, fits, last)]),
  });
  return fits === ids.length ? tail.block : addBlocks(tail.term, tail.block + 1, ids, fits, into);
}

function addBlocks(term: string, first: number, ids: readonly number[], from: number, into: Block[]): number {
  let block = first;
  for (let at = from; at < ids.length; at += AT_ONCE) {
    const to = Math.min(ids.length, at + AT_ONCE);
    into.push({ term, block: block++, count: to - at, last: ids[to - 1] ?? 0, ids: encodeSteps(ids, at, to, 0) });
  }
  return block - 1;
}

/** The numbers of a unit's chunks begin with its own. */
const UNIT_SPAN = 2 ** 31;

/** The terms under which a unit's chunks are listed. Slow: reads the newer lists of the whole project. */
export async function termsOfUnit(sql: Sql, { org, project }: { readonly org: number; readonly project: number }, unit: number): Promise<readonly string[]> {
  const first = unit * UNIT_SPAN;
  const blocks = await sql<Pick<Tail, 'term' | 'count' | 'ids'>>`
    select term, count, ids from postings where org = ${org} and project = ${project} and last >= ${first}`;
  const terms = new Set<string>();
  for (const { term, count, ids } of blocks) {
    const all = new Float64Array(count);
    decodeSteps(ids, all, 0);
    if (all.some((id) => id >= first && id < first + UNIT_SPAN)) terms.add(term);
  }
  return [...terms];
}

/** Removes the chunks of some units from the lists of their terms; deletes terms without chunks. */
export async function removePostings(
  sql: Sql,
  { org, project }: { readonly org: number; readonly project: number },
  terms: readonly string[],
  units: readonly number[],
): Promise<void> {
  const [removedUnits, names] = [new Set(units), [...new Set(terms)].toSorted()];
  const blocks = await sql<Omit<Tail, 'chunks'>>`
    select p.term, p.block, p.count, p.last, p.ids from unnest(${names}::text[]) n (term)
    cross join lateral (select * from postings where org = ${org} and project = ${project} and term = n.term and last >= ${Math.min(...units) * UNIT_SPAN}
      order by block limit 1000000) p`;
  const [changed, removed]: [Block[], Map<string, number>] = [[], new Map()];
  for (const { term, block, count, ids } of blocks) {
    const all = new Float64Array(count);
    decodeSteps(ids, all, 0);
    const remaining = [...all].filter((id) => !removedUnits.has(Math.floor(id / UNIT_SPAN)));
    if (remaining.length === count) continue;
    changed.push({ term, block, count: remaining.length, last: remaining.at(-1) ?? 0, ids: encodeSteps(remaining, 0, remaining.length, 0) });
    removed.set(term, (removed.get(term) ?? 0) + count - remaining.length);
  }
  if (changed.length === 0) return;
  await sql`
    update postings p set count = n.count, last = n.last, ids = n.ids
    from unnest(${changed.map(({ term }) => term)}::text[], ${changed.map(({ block }) => block)}::integer[], ${changed.map(({ count }) => count)}::integer[],
      ${changed.map(({ last }) => last)}::bigint[], ${changed.map(({ ids }) => ids)}::bytea[]) as n (term, block, count, last, ids)
    where p.org = ${org} and p.project = ${project} and p.term = n.term and p.block = n.block`;
  await sql`
    update terms t set chunks = t.chunks - n.count from unnest(${[...removed.keys()]}::text[], ${[...removed.values()]}::integer[]) as n (term, count)
    where t.org = ${org} and t.project = ${project} and t.term = n.term`;
  // A list keeps its last block, empty or not: the next chunk is added there.
  const empty = await sql<{ term: string }>`
    delete from terms t using unnest(${[...removed.keys()]}::text[]) as n (term)
    where t.org = ${org} and t.project = ${project} and t.term = n.term and t.chunks <= 0 returning t.term`;
  await sql`
    delete from postings p using unnest(${empty.map(({ term }) => term)}::text[]) as n (term) where p.org = ${org} and p.project = ${project} and p.term = n.term`;
}

/** Removes words without any remaining term in the project, and from the organisation if no project has one. */
export async function removeWords(
  sql: Sql,
  { org, project }: { readonly org: number; readonly project: number },
  words: readonly (readonly [word: string, ...terms: string[]])[],
): Promise<void> {
  const terms = [...new Set(words.flatMap(([, ...own]) => own))].toSorted();
  const existing = await sql<{ term: string; here: boolean }>`
    select n.term, exists (select from terms t where t.org = ${org} and t.term = n.term and t.project = ${project}) as here from unnest(${terms}::text[]) n (term)
    where exists (select from terms t where t.org = ${org} and t.term = n.term)`;
  const known = new Map(existing.map(({ term, here }) => [term, here]));
  for (const from of [project, 0]) {
    const unused = words.filter(([, ...own]) => !own.some((term) => (from === 0 ? known.has(term) : known.get(term) === true))).map(([word]) => word);
    if (unused.length > 0) await sql`delete from words where org = ${org} and project = ${from} and word = any(${unused.toSorted()}::text[])`;
  }
}
