import type { Memory } from '../memory/memory.ts';
import { refresh } from './refresh.ts';

/** What every reading command does first: notice changes by others, and finish what a crashed writer left undone. */
export async function catchUp(memory: Memory, reach: 'sweep' | 'all' = 'all'): Promise<void> {
  await refresh(memory, reach);
  const position = memory.index.journalPosition();
  // A memory that Holdfast never wrote, such as one that came with a clone, is only read.
  if (position === 0) return;
  if (memory.index.views().position === position && !(await memory.store.hasStrayFiles())) return;
  await memory.mendViews();
}
