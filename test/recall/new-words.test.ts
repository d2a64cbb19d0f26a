import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf } from '../../src/recall/chunks/split-text.ts';
import { NewWords, spelledWords } from '../../src/recall/text/words.ts';

const WORDS = ['staging', 'parseHTTPUrl_v2', 'configuration', 'größe', 'データベース', 'the', 'XMLHttp', 'a1b2c3', '—', '.', '? ', '\n', ',', ' ', '   ', 'x'];
const mixed = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 400 }).map((parts) => parts.join(' '));
/** Without spaces a long line, or one of many terms, is cut within words. */
const unbroken = fc
  .tuple(fc.array(fc.stringMatching(/^[A-Za-z][a-z]{2,5}$/), { minLength: 64, maxLength: 160 }), fc.constantFrom('', ',', '/', 'é', '1'))
  .map(([parts, between]) => parts.join(between));
const text = fc.oneof(mixed, unbroken);

it('words gathered run by run are those of the pieces, wherever a text is cut', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const gathered = new NewWords();
      const all = new Set<string>();
      const expected = new Set<string>();
      for (const one of texts) {
        for (const piece of chunksOf(one, gathered)) spelledWords(piece.text, expected);
        for (const word of gathered.take()) all.add(word);
      }
      expect([...all].toSorted()).toEqual([...expected].toSorted());
    }),
    { numRuns: 400 },
  );
});
