import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze } from '../../../src/recall/text/analyze.ts';
import { LARGEST_SIZE, chunksOf } from '../../../src/recall/chunks/split-text.ts';

test('a short text is one chunk', () => {
  expect(chunksOf('We chose SQLite. It needs no server.')).toEqual([
    { text: 'We chose SQLite. It needs no server.', terms: ['chose', 'sq', 'lite', 'sqlite', 'need', 'server'].map((term) => analyze(term)[0] ?? term) },
  ]);
});

test('a long text is cut at ends of sentences', () => {
  const sentence = 'Every adapter answers the same contract suite before release day.';
  const chunks = chunksOf(Array.from({ length: 20 }, () => sentence).join(' '));
  expect(chunks.length).toBeGreaterThan(3);
  for (const chunk of chunks) expect(chunk.text.endsWith('day.')).toBe(true);
});

test('words without an end are cut at a space', () => {
  const chunks = chunksOf(Array.from({ length: 400 }, (_, nth) => `word${nth}`).join(' '));
  for (const chunk of chunks) expect(chunk.text).toMatch(/^word\d+.*word\d+$/);
});

test('no term is lost and no chunk is too large', () => {
  const text = fc
    .array(fc.constantFrom('alpha', 'beta_gamma', 'Delta.', '\n', '猫が好き', 'x'.repeat(700), '!?', 'and so on'), { maxLength: 80 })
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(text, (written) => {
      const chunks = chunksOf(written);
      for (const chunk of chunks) expect(chunk.terms.length).toBeLessThanOrEqual(LARGEST_SIZE);
      const terms = new Set(chunks.flatMap((chunk) => chunk.terms));
      for (const term of analyze(written.replaceAll('x'.repeat(700), ''))) expect(terms.has(term)).toBe(true);
    }),
  );
});
