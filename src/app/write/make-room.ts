import type { Category } from '../../core/record/category.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { RootName } from '../../core/ports/store.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { moveWithin } from './status.ts';
import type { Writing } from './transaction.ts';
import { filesWithUserText } from './user-text.ts';

export interface RoomRequest {
  readonly category: Category;
  readonly root: RootName;
  readonly limit: number;
  /** An automatic save may archive only records that no prompt has used; a person's save any automatic record. */
  readonly automatic: boolean;
  readonly quarantined: boolean;
}

const nameOf = ({ category, id }: ItemFacts): string => `${category ?? ''}/${id}`;

/** Records that may be archived: quarantined before observed, unused before used, old before new; never those that a person wrote or confirmed. */
async function archivableRecords(memory: Memory, { category, root, automatic, quarantined }: RoomRequest): Promise<readonly ItemFacts[]> {
  const users = await filesWithUserText(memory, root);
  const candidates = memory.index
    .items({ kind: 'record', category, status: 'active', root })
    .filter(({ path, trust }) => trust !== 'confirmed' && !users.has(path) && !(quarantined && !isQuarantined(trust)));
  const used = await memory.usedRecords(candidates.map(nameOf));
  const rank = (item: ItemFacts): number => (isQuarantined(item.trust) ? 0 : used.has(nameOf(item)) ? 2 : 1);
  return candidates
    .filter((item) => !automatic || rank(item) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}

/** Archives automatic records until a full category has room for one more, with a warning for each. False if there are too few. */
export async function archiveToMakeRoom(memory: Memory, write: Writing, request: RoomRequest): Promise<boolean> {
  const { category, root, limit } = request;
  const excess = memory.index.count({ kind: 'record', category, status: 'active', root }) - limit + 1;
  const toArchive = (await archivableRecords(memory, request)).slice(0, excess);
  if (toArchive.length < excess) return false;
  for (const item of toArchive) {
    const moved = await moveWithin(memory, write, 'archive', item, `the category was full (max_memories_per_category is ${limit})`);
    if (!moved.ok) return false;
    write.warnings.push(`${nameOf(item)} was archived to make room: it was saved automatically and not confirmed`);
  }
  return true;
}
