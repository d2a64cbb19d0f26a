import { encodeSteps } from '../../../core/episode/chunk-lists.ts';
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

/** Adds chunks to the lists of their terms: to the last block where there is room and the order allows it, else in new ones. */
export async function savePostings(
  sql: Sql,
  { org, project }: { readonly org: number; readonly project: number },
  found: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const names = [...found.keys()].toSorted();
  if (names.length === 0) return;
  const tails = await sql<Tail>`
    select n.term, t.chunks, t.block, p.count, p.last, p.ids from unnest(${names}::text[]) n (term)
    cross join lateral (select chunks, block from terms where org = ${org} and term = n.term and project = ${project} limit 1) t
    cross join lateral (select count, last, ids from postings where org = ${org} and project = ${project} and term = n.term and block = t.block limit 1) p`;
  const known = new Map(tails.map((tail) => [tail.term, tail]));
  const blocks: Block[] = [];
  const terms = names.map((term) => {
    const ids = found.get(term) ?? [];
    const tail = known.get(term);
    const last = tail ? extended(tail, ids, blocks) : newBlocks(term, 0, ids, 0, blocks);
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

function extended(tail: Tail, ids: readonly number[], into: Block[]): number {
  const last = Number(tail.last);
  const fits = Math.min(ids.length, Math.floor((BLOCK - tail.ids.length) / 3));
  if (fits <= 0 || (ids[0] ?? 0) <= last) return newBlocks(tail.term, tail.block + 1, ids, 0, into);
  into.push({
    term: tail.term,
    block: tail.block,
    count: tail.count + fits,
    last: ids[fits - 1] ?? last,
    ids: Buffer.concat([tail.ids, encodeSteps(ids, 0, fits, last)]),
  });
  return fits === ids.length ? tail.block : newBlocks(tail.term, tail.block + 1, ids, fits, into);
}

function newBlocks(term: string, first: number, ids: readonly number[], from: number, into: Block[]): number {
  let block = first;
  for (let at = from; at < ids.length; at += AT_ONCE) {
    const to = Math.min(ids.length, at + AT_ONCE);
    into.push({ term, block: block++, count: to - at, last: ids[to - 1] ?? 0, ids: encodeSteps(ids, at, to, 0) });
  }
  return block - 1;
}
