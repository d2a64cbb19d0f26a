import type { Memory } from '../memory/memory.ts';
import { refresh } from './refresh.ts';

/** Every reading command first notices changes by others. Only people read views, so views that a manual edit or a crashed writer left out of date are repaired after the answer. */
export async function catchUp(memory: Memory, scope: 'sweep' | 'all' = 'all'): Promise<void> {
  await refresh(memory, scope);
  if (await isUntrue(memory)) memory.repairLater();
}

/** The same for a reader of the views. */
export async function catchUpViews(memory: Memory): Promise<void> {
  await refresh(memory, 'all');
  if (await isUntrue(memory)) await memory.repairViews();
}

async function isUntrue({ index, store }: Memory): Promise<boolean> {
  const position = index.journalPosition();
  // The views of a memory that Holdfast never wrote, such as one that came with a clone, are its owner's.
  return (position > 0 && index.views().position !== position) || store.hasStrayFiles();
}
