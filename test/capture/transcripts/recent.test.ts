import { describe, expect, it } from 'vitest';
import { LruSet, RecentMap } from '../../../src/capture/transcripts/lru-set.ts';

describe('what is remembered of late', () => {
  it('is a set of the last members only', () => {
    const recent = new LruSet(3);
    expect(['a', 'b', 'a', 'c', 'd'].map((member) => recent.add(member))).toEqual([true, true, false, true, true]);
    expect(['a', 'b', 'c', 'd'].map((member) => recent.has(member))).toEqual([false, true, true, true]);
  });

  it('is a map of the entries last set', () => {
    const recent = new RecentMap<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);
    recent.set('c', 4);
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([3, undefined, 4]);
  });
});
