import { expect, test } from 'vitest';
import { promptTerms } from '../../../src/recall/gate/prompt-terms.ts';
import { spent } from '../../processor.ts';

const NONE = { total: 0, counts: new Map<string, number>() };
const weightOf = (text: string, term: string): number => promptTerms(text, NONE).weights.get(term) ?? 0;

test('a word in a path tells half of what it tells in a sentence', () => {
  for (const path of ['src/harbour/kettle.ts', './harbour/kettle.ts', 'harbour/', 'see (harbour/kettle.ts)', 'harbour.ts', 'file=lib/harbour.ts'])
    expect(weightOf(`${path} is slow`, 'harbour'), path).toBe(weightOf('the harbour is slow', 'harbour') / 2);
  expect(weightOf('harbour.ts and the harbour', 'harbour')).toBe(weightOf('the harbour', 'harbour'));
});

/** Each as long as the part of a prompt that is read. */
const LONG = 48_000;
test.each([['letters'.repeat(LONG / 7)], ['a-'.repeat(LONG / 2)], ['.'.repeat(LONG)]])(
  'a long run without a slash takes no square of its length: %#',
  (run) => {
    const words = 'harbour kettle '.repeat(LONG / 15);
    promptTerms(words, NONE);
    const began = spent();
    promptTerms(words, NONE);
    const between = spent();
    promptTerms(run, NONE);
    expect(spent() - between).toBeLessThan(10 * (between - began) + 50);
  },
);
