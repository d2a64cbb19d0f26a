import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanText } from '../../../src/capture/cleaning/clean.ts';

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const longText = fc.tuple(fc.array(word, { minLength: 40, maxLength: 200 }), fc.constantFrom(' ', '\n', '')).map(([words, between]) => words.join(between));

it('a text that was cut to its limit is kept as it is when it is cleaned again', () => {
  fc.assert(
    fc.property(longText, fc.integer({ min: 60, max: 150 }), (text, limit) => {
      const once = cleanText(text, limit);
      expect(cleanText(once, limit)).toBe(once);
    }),
  );
});

it('a text that a reader cut is cut to its limit, and says how much went in all', () => {
  const text = `${'a'.repeat(200)}\n[… 1000 characters cut …]\n${'b'.repeat(200)}`;
  const cut = cleanText(text, 90);
  expect(cut.length).toBeLessThan(130);
  expect(Number(/\[… (\d+) characters cut …\]/.exec(cut)?.[1])).toBeGreaterThan(1300);
});
