import { CATEGORIES, type Category } from '../../core/record/category.ts';
import type { RecordStatus } from '../../core/record/schema.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';

export interface CategoryCount {
  readonly category: Category;
  readonly active: number;
  readonly retired: number;
  readonly archived: number;
}

export interface MemoryStatus {
  readonly key: string;
  readonly categories: readonly CategoryCount[];
  readonly documents: number;
  readonly unreadable: number;
  readonly quarantined: number;
  readonly lastActivity?: string;
  readonly writes: number;
}

/** What a memory holds, counted from the index after it has caught up with the files. */
export async function statusOfMemory(memory: Memory): Promise<MemoryStatus> {
  await catchUp(memory);
  const records = memory.index.items({ kind: 'record' });
  const count = (category: Category, status: RecordStatus): number => records.filter((item) => item.category === category && item.status === status).length;
  const journal = await memory.store.journal.entries();
  const lastActivity = journal.at(-1)?.at ?? memory.index.recent({}, 1)[0]?.updatedAt;
  return {
    key: memory.key,
    categories: CATEGORIES.map((category) => ({
      category,
      active: count(category, 'active'),
      retired: count(category, 'retired'),
      archived: count(category, 'archived'),
    })),
    documents: memory.index.count({ kind: 'document' }),
    unreadable: memory.index.problems().length,
    quarantined: records.filter(({ trust }) => trust === 'quarantined').length,
    ...(lastActivity !== undefined && { lastActivity }),
    writes: journal.length,
  };
}
