import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkId, unitOf } from '../../../src/recall/chunks/split-text.ts';
import type { ExchangeIndex } from '../../../src/recall/exchange/port.ts';
import { rankExchanges } from '../../../src/recall/exchange/rank-exchanges.ts';
import { rounds } from '../../rounds.ts';

interface MadeChunk {
  readonly id: number;
  readonly terms: readonly string[];
}

const TERMS = ['tide', 'reef', 'kelp', 'moor'];
const KINDS = ['prompt', 'reply', 'code'] as const;

/** Sessions of exchanges of chunks, each chunk with its kind and some of the terms. */
const talks = fc.array(
  fc.array(fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.subarray(TERMS)), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 5 },
);

type Talks = typeof talks extends fc.Arbitrary<infer T> ? T : never;

function made(sessions: Talks): { readonly exchanges: readonly (readonly MadeChunk[])[]; readonly index: ExchangeIndex } {
  const exchanges = sessions.flatMap((session, nth) => {
    let place = 0;
    return session.map((chunks) => chunks.map(([kind, terms]) => ({ id: chunkId(nth + 1, (place += 10), 10, kind), terms })));
  });
  const outline = {
    firsts: exchanges.map(([first]) => first?.id ?? 0),
    terms: exchanges.map((chunks) => 10 * chunks.length),
    sessions: new Map(sessions.map((_, nth) => [nth + 1, { id: `s${nth}`, endedAt: nth, newer: sessions.length - 1 - nth }])),
  };
  const holding = (term: string): number[] => exchanges.flat().flatMap(({ id, terms }) => (terms.includes(term) ? [id] : []));
  const index = {
    postings: (terms: readonly string[]) => terms.map((term) => ({ ids: holding(term), count: holding(term).length })),
    outline: () => outline,
    turns: () => [],
  };
  return { exchanges, index };
}

/** The same scores, worked out one exchange at a time. */
function plainly({ exchanges }: ReturnType<typeof made>, sessions: number): readonly { readonly first: number; readonly score: number }[] {
  const said = (chunks: readonly MadeChunk[]): readonly MadeChunk[] => chunks.filter(({ id }) => id % 8 < 3);
  const holders = (term: string): number => exchanges.filter((chunks) => said(chunks).some(({ terms }) => terms.includes(term))).length;
  const rarity = (term: string): number => Math.log(1 + (exchanges.length - holders(term) + 0.5) / (holders(term) + 0.5));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const bm25 = (chunks: readonly MadeChunk[], length: number): number =>
    TERMS.reduce((sum, term) => {
      const count = said(chunks).filter(({ terms }) => terms.includes(term)).length;
      return sum + (count === 0 ? 0 : (rarity(term) * count * 1.9) / (count + 0.9 * (0.6 + 0.4 * length)));
    }, 0);
  const session = (first: number): readonly MadeChunk[] => exchanges.flat().filter(({ id }) => unitOf(id) === unitOf(first));
  const all = exchanges.map((chunks) => {
    const first = chunks[0]?.id ?? 0;
    const units = Array.from({ length: sessions }, (_, nth) => exchanges.flat().filter(({ id }) => unitOf(id) === nth + 1).length);
    return {
      first,
      own: bm25(chunks, chunks.length / mean(exchanges.map(({ length }) => length))),
      chunk: Math.max(0, ...said(chunks).map(({ terms }) => terms.reduce((sum, term) => sum + rarity(term), 0))),
      unit: bm25(session(first), session(first).length / mean(units)),
      recency: 0.4 / (1 + (sessions - unitOf(first)) / 8),
    };
  });
  const most = (of: 'own' | 'chunk' | 'unit'): number => Math.max(...all.map((one) => one[of]));
  return all
    .filter(({ own }) => own > 0)
    .map(({ first, own, chunk, unit, recency }) => ({
      first,
      score: own / most('own') + (0.3 * chunk) / most('chunk') + (0.2 * unit) / most('unit') + recency,
    }))
    .toSorted((a, b) => b.score - a.score || b.first - a.first);
}

test('the fast way ranks exchanges as the plain way does', async () => {
  await fc.assert(
    fc.asyncProperty(talks, async (sessions) => {
      const all = made(sessions);
      const { ranked } = await rankExchanges(all.index, TERMS, 3);
      const expected = plainly(all, sessions.length).slice(0, 3);
      expect(ranked.map(({ score }) => Number(score.toFixed(9)))).toEqual(expected.map(({ score }) => Number(score.toFixed(9))));
      for (const { first, score } of ranked) expect(plainly(all, sessions.length).find((one) => one.first === first)?.score).toBeCloseTo(score, 9);
    }),
    { numRuns: rounds(100, 2_000) },
  );
});

test('the best passage of an exchange counts more in a large project', async () => {
  const scattered: Talks[number][number] = [1, 2, 3].flatMap(() => TERMS.map((term): Talks[number][number][number] => ['reply', [term]]));
  const passage: Talks[number][number] = scattered.map((_, nth) => ['reply', nth === 0 ? TERMS : []]);
  const bestOf = async (others: number): Promise<string | undefined> => {
    const filler: Talks = Array.from({ length: others }, () => [[['reply', []]]]);
    const { ranked } = await rankExchanges(made([...filler, [passage], [scattered]]).index, TERMS, 1);
    return ranked[0]?.session.id;
  };
  expect([await bestOf(20), await bestOf(700)]).toEqual(['s21', 's700']);
});
