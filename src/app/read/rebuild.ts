import type { RootName } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import { refresh } from '../index/refresh.ts';
import { NO_STATS, renderSession } from '../../render/documents/session-file.ts';
import { readSession, SESSION_PLACE, totals } from '../work/file.ts';
import type { Memory } from '../memory/memory.ts';
import { renderAll } from '../views/repair.ts';

export interface RebuildReport {
  readonly records: number;
  readonly decisions: number;
  readonly analyses: number;
  readonly contextFiles: number;
  readonly reports: number;
  /** Files that could not be read as records and were left alone. */
  readonly unreadable: readonly { readonly path: string; readonly problem: string }[];
}

/** Makes the index and every view again from the files. */
export function rebuild(memory: Memory, actor: string): Promise<RebuildReport> {
  return memory.store.write(actor, async (session) => {
    await refresh(memory, 'everything');
    const reading = await readSession(memory);
    // Counts start again from the files.
    if (reading.exists && reading.damaged === undefined)
      await session.state(SESSION_PLACE, renderSession({ ...reading.session, countedFrom: NO_STATS, stats: totals(memory) }));
    const existingRoots: RootName[] = [];
    for (const root of memory.store.roots) if (await memory.store.stat({ root, path: '' })) existingRoots.push(root);
    await renderAll(memory, session, existingRoots);
    const count = (category: Category): number => memory.index.count({ kind: 'record', category });
    return {
      records: memory.index.count({ kind: 'record' }),
      decisions: count('decision'),
      analyses: count('analysis'),
      contextFiles: memory.index.items({ kind: 'document' }).filter(({ path }) => path.startsWith('context/')).length,
      reports: count('subagent_report'),
      unreadable: memory.index.problems().map(({ path, problem }) => ({ path, problem: problem ?? '' })),
    };
  });
}
