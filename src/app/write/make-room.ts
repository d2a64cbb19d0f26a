import type { Category } from '../../core/record/category.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { RootName } from '../../core/ports/store.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { moveWithin } from './status.ts';
import type { Writing } from './transaction.ts';
import { filesOfUser } from './users-word.ts';

export interface RoomRequest {
  readonly category: Category;
  readonly root: RootName;
  readonly limit: number;
  /** The kind of save that needs room: a person's save takes it from all automatic records, an automatic save only from those that no prompt has used. */
  readonly automatic: boolean;
  readonly quarantined: boolean;
}

const nameOf = ({ category, id }: ItemFacts): string => `${category ?? ''}/${id}`;

/** The order in which records give way: quarantined before observed, unused before used, old before new. Never records that a person wrote or confirmed. */
async function givingWay(memory: Memory, { category, root, automatic, quarantined }: RoomRequest): Promise<readonly ItemFacts[]> {
  const users = await filesOfUser(memory, root);
  const candidates = memory.index
    .items({ kind: 'record', category, status: 'active', root })
    .filter(({ path, trust }) => trust !== 'confirmed' && !users.has(path) && !(quarantined && !isQuarantined(trust)));
  const used = await memory.usedRecords(candidates.map(nameOf));
  const rank = (item: ItemFacts): number => (isQuarantined(item.trust) ? 0 : used.has(nameOf(item)) ? 2 : 1);
  return candidates
    .filter((item) => !automatic || rank(item) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}

/** Archives as much of what was kept automatically as a full category needs for one more record, and says what. False if there is not enough of it. */
export async function archiveToMakeRoom(memory: Memory, write: Writing, request: RoomRequest): Promise<boolean> {
  const { category, root, limit } = request;
  const over = memory.index.count({ kind: 'record', category, status: 'active', root }) - limit + 1;
  const going = (await givingWay(memory, request)).slice(0, over);
  if (going.length < over) return false;
  for (const item of going) {
    const moved = await moveWithin(memory, write, 'archive', item, `the category was full (max_memories_per_category is ${limit})`);
    if (!moved.ok) return false;
    write.warnings.push(`${nameOf(item)} was archived to make room: it was kept automatically and not confirmed`);
  }
  return true;
}
