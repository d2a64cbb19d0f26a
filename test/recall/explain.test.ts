import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScoredHit } from '../../src/recall/rank/rank-chunks.ts';
import { ask, library } from './library.ts';

const WORDS = [
  'cache',
  'retry',
  'upload',
  'login',
  'token',
  'deploy',
  'queue',
  'AuthService',
  'src/io/upload.ts',
  'May',
  'yesterday',
  'Ann',
  'when',
  'how many',
  '"retry upload"',
];
const text = fc.array(fc.constantFrom(...WORDS, 'we', 'the', 'and'), { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const record = fc.record({
  title: text,
  body: text,
  row: fc.record(
    {
      trust: fc.constantFrom('confirmed' as const, 'observed' as const, 'quarantined' as const),
      feedback: fc.integer({ min: -5, max: 5 }),
      supersededBy: fc.constantFrom('r0', 'r1', 'r2'),
    },
    { requiredKeys: ['trust'] },
  ),
});
const session = fc.array(
  fc.record({ text, speaker: fc.constantFrom('Ann', 'Ben'), at: fc.constantFrom('2026-05-07T10:00:00Z', '2026-06-16T10:00:00Z') }, { requiredKeys: ['text'] }),
  { minLength: 1, maxLength: 6 },
);

async function hitsFor(
  records: readonly (typeof record extends fc.Arbitrary<infer R> ? R : never)[],
  sessions: readonly (typeof session extends fc.Arbitrary<infer S> ? S : never)[],
  question: string,
): Promise<readonly ScoredHit[]> {
  const shelf = library();
  records.forEach(({ title, body, row }, nth) => shelf.record({ id: `r${nth}`, title, body, files: ['src/io/upload.ts'], row }));
  sessions.forEach((messages, nth) => shelf.session(`s${nth}`, messages));
  return ask(shelf, question, { files: ['src/io/upload.ts'], limit: 12 });
}

describe('an explanation', () => {
  test('sums to the score of every hit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 4 }), fc.array(session, { maxLength: 4 }), text, async (records, sessions, question) => {
        for (const { score, parts } of await hitsFor(records, sessions, question)) {
          expect(Math.abs(parts.reduce((sum, { points }) => sum + points, 0) - score)).toBeLessThan(1e-12);
          expect(parts.every(({ points, value }) => Number.isFinite(points) && Number.isFinite(value))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('names a signal once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 4 }), fc.array(session, { maxLength: 4 }), text, async (records, sessions, question) => {
        for (const { parts } of await hitsFor(records, sessions, question)) expect(new Set(parts.map(({ signal }) => signal)).size).toBe(parts.length);
      }),
      { numRuns: 100 },
    );
  });
});

test('the list is the same every time, holds nothing twice and no replaced record above its heir', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 4 }), fc.array(session, { maxLength: 4 }), text, async (records, sessions, question) => {
      const hits = await hitsFor(records, sessions, question);
      const ids = hits.map(({ candidate }) => candidate.chunk.messageId ?? candidate.row.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await hitsFor(records, sessions, question)).map(({ candidate }) => candidate.chunk.messageId ?? candidate.row.id)).toEqual(ids);
      for (const [nth, { replacedBy }] of hits.entries())
        if (replacedBy !== undefined && ids.includes(replacedBy)) expect(ids.indexOf(replacedBy)).toBeLessThan(nth);
    }),
    { numRuns: 150 },
  );
});
