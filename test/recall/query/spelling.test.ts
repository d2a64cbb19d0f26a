import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneEditApart, termsLike } from '../../../src/recall/query/spelling.ts';
import { keptRows } from '../../../src/recall/rows/kept.ts';
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
  const rows = keptRows(0, { title: 'Tournament results', tags: [], body: 'Education and authentication of players', files: [] });
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
