import { Failure } from '../../core/failure.ts';
import type { RootName, WriteSession } from '../../core/ports/store.ts';
import { refresh } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';
import { renderViews } from './render.ts';

/** Renders the views of some roots and notes that they are true now. */
export async function renderAll(memory: Memory, session: WriteSession, roots: Iterable<RootName>): Promise<void> {
  for (const root of roots) await renderViews(memory, session, root);
  const position = await memory.store.journal.position();
  memory.index.update((change) => change.viewsPosition(position));
}

/** What every reading command does first: notice changes by others, and finish what a crashed writer left undone. */
export async function catchUp(memory: Memory): Promise<void> {
  await refresh(memory);
  const position = memory.index.journalPosition();
  // A memory that Holdfast never wrote, such as one that came with a clone, is only read.
  if (position === 0) return;
  if (memory.index.viewsPosition() === position && !(await memory.store.hasStrayFiles())) return;
  await repair(memory);
}

/** Under the lock, so that a writer at work is waited for and not overtaken. A home that cannot be written stays as it is. */
async function repair(memory: Memory): Promise<Failure | undefined> {
  try {
    await memory.store.write('repair', async (session) => {
      await refresh(memory, 'journal');
      const written = new Set((await memory.store.journal.entries()).map(({ root }) => root));
      await renderAll(memory, session, memory.store.roots.filter((root) => written.has(root)));
    });
    return undefined;
  } catch (cause) {
    if (cause instanceof Failure) return cause;
    throw cause;
  }
}
