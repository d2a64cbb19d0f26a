import type { Memory } from '../memory/memory.ts';
import { refresh } from './refresh.ts';

/** Indexes changes by others before a read. Outdated views are repaired after the answer, because only people read them. */
export async function catchUp(memory: Memory, scope: 'sweep' | 'all' = 'all'): Promise<void> {
  await refresh(memory, scope);
  if (await areViewsOutdated(memory)) memory.repairLater();
}

/** The same, but repairs outdated views at once. */
export async function catchUpViews(memory: Memory): Promise<void> {
  await refresh(memory, 'all');
  if (await areViewsOutdated(memory)) await memory.repairViews();
}

async function areViewsOutdated({ index, store }: Memory): Promise<boolean> {
  const position = index.journalPosition();
  // Views of a memory that Holdfast never wrote, such as one in a clone, are left to its owner.
  return (position > 0 && index.views().position !== position) || store.hasStrayFiles();
}
