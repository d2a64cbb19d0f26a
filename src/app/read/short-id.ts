import type { ItemFacts } from '../../core/ports/index.ts';
import { cutShortId, longShortId } from '../../core/record/short-id.ts';
import type { Memory } from '../memory/memory.ts';

/** How a record is named where people and agents read: the shortest beginning of its short id that no other record of the memory has. A document keeps its name. */
export function shortId({ index }: Pick<Memory, 'index'>, { category, id }: Pick<ItemFacts, 'category' | 'id'>): string {
  if (category === undefined) return id;
  const long = longShortId(category, id);
  return cutShortId(long, index.shortIdsBeside(long));
}
