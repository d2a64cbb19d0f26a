import { describe, expect, test } from 'vitest';
import { relatedTerms } from '../../../src/recall/query/find-terms.ts';
import { library } from '../library.ts';

const said = 'friendship friendly friendliness befriended befriends paints painter paint child childhood campfire friends';
const { index } = library().session('one', [{ role: 'user', speaker: 'Ann', text: said }]);

describe('related terms', () => {
  test.each([
    ['friend', ['friendli', 'friendship'], 'longer words, the shortest first; the same stem is not another term'],
    ['paint', ['painter'], ''],
    ['painter', ['paint', 'paint'], 'the word it was formed from'],
    ['childhood', ['child', 'child'], ''],
    ['camp', [], 'too many words begin with four letters'],
    ['src42', [], 'no word'],
  ])('%s', async (term, related) => {
    expect(await relatedTerms(term, [index])).toEqual(related);
  });
});
