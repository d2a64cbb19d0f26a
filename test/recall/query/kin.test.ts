import { describe, expect, test } from 'vitest';
import { relatedTerms } from '../../../src/recall/query/find-terms.ts';
import { library } from '../library.ts';

const said = 'friendship friendly friendliness befriended befriends paints painter paint child childhood campfire friends';
const { index } = library().session('one', [{ role: 'user', speaker: 'Ann', text: said }]);

describe('terms of the same family', () => {
  test.each([
    ['friend', ['friendli', 'friendship'], 'longer words, the shortest first; what has the same stem is no other'],
    ['paint', ['painter'], ''],
    ['painter', ['paint', 'paint'], 'what it was made from'],
    ['childhood', ['child', 'child'], ''],
    ['camp', [], 'four letters begin too many words'],
    ['src42', [], 'no word'],
  ])('%s', async (term, kin) => {
    expect(await relatedTerms(term, [index])).toEqual(kin);
  });
});
