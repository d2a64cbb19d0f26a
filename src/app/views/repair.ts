import { isFailure } from '../../core/failure.ts';
import type { RootName, WriteSession } from '../../core/ports/store.ts';
import { refresh } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';
import { renderViews, viewRootOf } from './render.ts';

/** In a burst of writes, at most a tenth of the time is spent on views. */
const RENDER_PAUSE_FACTOR = 10;

/** Renders the views of some roots and marks them as up to date. */
export async function renderAll(memory: Memory, session: WriteSession, roots: Iterable<RootName>): Promise<void> {
  const started = memory.now();
  const viewRoots = new Set([...roots].map(viewRootOf));
  for (const root of viewRoots) if (memory.store.roots.includes(root)) await renderViews(memory, session, root);
  const position = await memory.store.journal.position();
  const renderedAt = memory.now();
  memory.index.update((change) => change.views({ position, renderedAt, tookMs: renderedAt - started }));
}

/** Renders the views at once, or in a burst of writes a little later for all of them. */
export async function renderAfterWrite(memory: Memory, session: WriteSession, roots: Iterable<RootName>): Promise<void> {
  const { renderedAt, tookMs } = memory.index.views();
  const since = memory.now() - renderedAt;
  if (since < 0 || since >= tookMs * RENDER_PAUSE_FACTOR) await renderAll(memory, session, roots);
  else memory.repairLater();
}

/** Renders outdated views under the lock, so that a running writer finishes first. A home that cannot be written is left as it is. */
export async function repairViews(memory: Memory): Promise<void> {
  try {
    await memory.store.write('repair', async (session) => {
      await refresh(memory, 'journal');
      if (memory.index.views().position === memory.index.journalPosition() && !(await memory.store.hasStrayFiles())) return;
      const written = new Set((await memory.store.journal.entries()).map(({ root }) => root));
      // A root that is gone is not made again for its views.
      const roots: RootName[] = [];
      for (const root of memory.store.roots) if (written.has(root) && (await memory.store.stat({ root, path: '' }))) roots.push(root);
      await renderAll(memory, session, roots);
    });
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
  }
}
