import { expect, test } from 'vitest';
import { chunkId } from '../../../src/recall/chunks/split-text.ts';
import type { RecallIndex } from '../../../src/recall/port.ts';
import type { IndexedChunk } from '../../../src/recall/chunks/message-rows.ts';
import { rankChunks } from '../../../src/recall/rank/rank-chunks.ts';
import { MemoryIndex } from '../memory-index.ts';

const UNITS = 900;
const CHUNKS = 50;
const TERMS = 14;
const VOCABULARY = 20_000;

let state = 5;
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
/** By Zipf's law: the commonest word is in a sixth of the chunks. */
const rank = (): number => Math.floor(12 * ((VOCABULARY + 12) / 12) ** random()) - 12;
const spelled = (nth: number): string => `q${[...nth.toString(9)].map((digit) => 'bcdfghjkl'[Number(digit)]).join('')}a`;

const index = new MemoryIndex();
const told: string[][] = [];
for (let unit = 1; unit <= UNITS; unit++) {
  const chunks = Array.from({ length: CHUNKS }, (_, nth): IndexedChunk => {
    const terms = Array.from({ length: TERMS }, () => spelled(rank()));
    if (nth === 7) told.push(terms);
    return { id: chunkId(unit, nth * TERMS, TERMS, nth % 5 === 0 ? 'prompt' : 'reply'), text: terms.join(' '), terms, messageId: `${unit}-${nth}` };
  });
  index.add({ unit, type: 'session', id: `s${unit}`, title: '', size: CHUNKS * TERMS }, chunks);
}

/** The index as a search sees it, its lists given up to `most` or always whole. */
const over = (postings: RecallIndex['postings']): RecallIndex => ({
  size: () => index.size(),
  postings,
  units: (numbers) => index.units(numbers),
  chunks: (ids) => index.chunks(ids),
  between: (stretches) => index.between(stretches),
  recordsNamed: (ids) => index.recordsNamed(ids),
  allowed: (filter) => index.allowed(filter),
  speakers: () => [],
  words: (from, to) => index.words(from, to),
});
const pruned = over((terms, most) => index.postings(terms, most));
const exhaustive = over((terms) => index.postings(terms, Number.MAX_SAFE_INTEGER));

const ask = async (searched: RecallIndex, text: string): Promise<readonly string[]> =>
  (await rankChunks([{ index: searched }], { text, limit: 10, now: 0 })).hits.map(({ candidate }) => candidate.chunk.messageId as string);

const matching = (terms: readonly string[]): number => terms.reduce((sum, term) => sum + (index.postings([term], 0)[0]?.count ?? 0), 0);
const questions = (most: number): string[][] =>
  Array.from({ length: 40 }, (_, nth) => [...new Set((told[(nth * 37) % told.length] as string[]).slice(0, most))]);

test('a question whose terms stand in up to 16,000 chunks is answered as if every list were read to its end', async () => {
  const asked = questions(5).filter((terms) => matching(terms) <= 16_000);
  expect(asked.length).toBeGreaterThan(30);
  for (const terms of asked) expect(await ask(pruned, terms.join(' '))).toEqual(await ask(exhaustive, terms.join(' ')));
});

test('beyond that the commonest terms are left out, and nine times in ten the first hit is the same', async () => {
  const asked = questions(TERMS / 2)
    .map((terms, nth) => [...new Set([...terms, ...[0, 1, 2].map((more) => spelled((nth % 5) + more))])])
    .filter((terms) => matching(terms) > 16_000);
  expect(asked.length).toBeGreaterThan(20);
  let [first, shared] = [0, 0];
  for (const terms of asked) {
    const [some, all] = [await ask(pruned, terms.join(' ')), await ask(exhaustive, terms.join(' '))];
    if (some[0] === all[0]) first++;
    shared += some.filter((id) => all.includes(id)).length / all.length;
  }
  expect(first / asked.length).toBeGreaterThanOrEqual(0.9);
  expect(shared / asked.length).toBeGreaterThanOrEqual(0.7);
});
