import type { Memory } from '../memory/memory.ts';
import { refresh } from './refresh.ts';

/** What every reading command does first: notice changes by others, and finish what a crashed writer left undone. */
export async function catchUp(memory: Memory, reach: 'sweep' | 'all' = 'all'): Promise<void> {
  await refresh(memory, reach);
  const position = memory.index.journalPosition();
  // The views of a memory that Holdfast never wrote, such as one that came with a clone, are its owner's.
  const untrue = position > 0 && memory.index.views().position !== position;
  if (untrue || (await memory.store.hasStrayFiles())) await memory.mendViews();
}
