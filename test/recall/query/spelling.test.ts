import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/recall/text/analyze.ts';
import type { RecallIndex } from '../../../src/recall/port.ts';
import { oneEditApart, termsLike } from '../../../src/recall/query/spelling.ts';
import { packedRows } from '../../../src/recall/chunks/packed-texts.ts';
import { MemoryIndex } from '../memory-index.ts';

describe('one edit apart', () => {
  test.each([
    ['educaton', 'education', true],
    ['tournament', 'torunament', true],
    ['authentication', 'authentcation', true],
    ['deploy', 'deploi', true],
    ['cache', 'caches', true],
    ['cache', 'cash', false],
    ['same', 'same', false],
    ['abcd', 'badc', false],
    ['abc', 'abcde', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(oneEditApart(a, b)).toBe(expected);
    expect(oneEditApart(b, a)).toBe(expected);
  });

  test('any word with a letter left out is one edit from itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{2,12}$/), fc.nat(), (word, seed) => {
        const at = seed % word.length;
        expect(oneEditApart(word, word.slice(0, at) + word.slice(at + 1))).toBe(true);
      }),
    );
  });
});

describe('what a word may stand for', () => {
  const rows = packedRows(0, { title: 'Tournament results', tags: [], body: 'Education and authentication of players', files: [] });
  const index = new MemoryIndex().add({ unit: 0, type: 'record', id: 'r', title: '', size: rows.size }, rows.chunks);

  test.each([
    ['torunament', ['tournament']],
    ['educaton', ['educ']],
    ['authent', ['authent']],
    ['zebra', []],
    ['edu', []],
  ])('%s', async (word, terms) => {
    expect(await termsLike(word, [index])).toEqual(terms);
  });
});

describe('a misspelt word', () => {
  const word = fc.stringMatching(/^[bdkmu]{4,7}$/);

  test('is taken for every known word one edit away that begins with the same letter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), word, fc.boolean(), async (vocabulary, asked, looksUp) => {
        const sorted = vocabulary.toSorted();
        const words = (from: string, to: string): string[] => sorted.filter((known) => known >= from && known < to);
        const known = (wanted: readonly string[]): string[] => sorted.filter((one) => wanted.includes(one));
        const index = { words, ...(looksUp && { known }) } as unknown as RecallIndex;
        const near = sorted
          .filter((one) => one[0] === asked[0] && oneEditApart(one, asked))
          .toSorted((a, b) => Math.abs(a.length - asked.length) - Math.abs(b.length - asked.length) || (a < b ? -1 : 1));
        if (near.length > 0) expect(await termsLike(asked, [index])).toEqual([...new Set(near.slice(0, 3).flatMap(analyze))]);
      }),
      { numRuns: 300 },
    );
  });
});
