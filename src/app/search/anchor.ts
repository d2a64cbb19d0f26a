import { epochOf } from '../../core/instant.ts';
import { analyze } from '../../recall/text/analyze.ts';
import type { Memory } from '../memory/memory.ts';

const LOOKED_AT = 8;

/** When something named in a question happened, such as "the release": the time of the newest record whose title names it. */
export function anchorIn(memories: readonly Memory[]): (words: string) => number | undefined {
  return (words) => {
    const all = words.split(' ');
    for (let length = all.length; length > 0; length--) {
      const terms = [...new Set(analyze(all.slice(0, length).join(' ')))];
      const times = terms.length === 0 ? [] : memories.flatMap((memory) => timesOf(memory, terms));
      if (times.length > 0) return Math.max(...times);
    }
    return undefined;
  };
}

function timesOf(memory: Memory, terms: readonly string[]): number[] {
  return memory.index
    .search(terms, { kind: 'record' }, LOOKED_AT)
    .filter(({ item }) => {
      const title = new Set(analyze(item.title));
      return terms.every((term) => title.has(term));
    })
    .flatMap(({ item }) => epochOf(item.createdAt) ?? []);
}
