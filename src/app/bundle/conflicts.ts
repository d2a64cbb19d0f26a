import type { ItemFacts } from '../../core/ports/index.ts';
import type { Memory } from '../memory/memory.ts';
import { broughtFiles } from './versions.ts';

/** How a file is called that `import` put beside ours. */
const BESIDE = /-imported(?:-\d+)?(?=\.\w+$)/;

export interface ImportConflict {
  readonly ours: ItemFacts;
  readonly theirs: ItemFacts;
}

/** What was changed here and in a bundle, until one of the two is out of use or gone. */
export async function importConflicts(memory: Memory): Promise<readonly ImportConflict[]> {
  const items = memory.index.items({ status: 'active' });
  const beside = items.filter(({ path }) => BESIDE.test(path));
  if (beside.length === 0) return [];
  const isBrought = await broughtFiles(memory);
  return beside.flatMap((theirs) => {
    const path = theirs.path.replace(BESIDE, '');
    // A record of the user's may have such a name.
    if (!isBrought({ root: theirs.root, path })) return [];
    const id = theirs.id.replace(/-imported(?:-\d+)?$/, '');
    const ours = items.find(
      (item) => item.root === theirs.root && (item.path === path || (item.category !== undefined && item.category === theirs.category && item.id === id)),
    );
    return ours ? [{ ours, theirs }] : [];
  });
}
