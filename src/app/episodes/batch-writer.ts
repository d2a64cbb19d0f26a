import { appendPacked, type OpenBatchChange, type EpisodeStore, storeBatch, dropOldestTexts } from './keep.ts';
import { inTurn } from '../../core/task-queue.ts';
import type { EpisodeKeeper, StoredBatch, ProjectBatch } from '../../core/ports/episodes.ts';
import { NewWords } from '../../recall/text/words.ts';

/** Projects that are open at once; an import mostly handles them one after the other. */
const MOST_OPEN = 16;

/** The conversations of one project, open for writing. */
export interface OpenedStore {
  readonly store: EpisodeStore;
  /** Whether its index was lost and has been rebuilt. */
  readonly remade: boolean;
  close(): void;
}

interface OpenProject extends OpenedStore {
  /** An uncommitted change. */
  openChange?: OpenBatchChange | undefined;
  archiveBytes: number;
}

/** Writes batches of conversations in this thread. */
export function batchWriter(openStore: (key: string) => OpenedStore): EpisodeKeeper {
  const open = new Map<string, OpenProject>();
  /** Archives are flushed one after the other while the next batches are processed. */
  let onDisk: Promise<void> = Promise.resolve();
  const settle = async (project: OpenProject): Promise<readonly string[]> => {
    const { openChange, store, archiveBytes } = project;
    if (openChange === undefined) return [];
    await appendPacked(store, openChange);
    project.openChange = undefined;
    store.index.commit();
    onDisk = onDisk.then(async () => store.archive.settle());
    // Awaited later; keep it from being reported as unhandled.
    onDisk.catch(() => undefined);
    return dropOldestTexts(store, archiveBytes);
  };
  const openProject = async (key: string): Promise<{ readonly project: OpenProject; readonly remade: boolean }> => {
    const alreadyOpen = open.get(key);
    if (alreadyOpen !== undefined) return { project: alreadyOpen, remade: false };
    const [oldest] = open.size >= MOST_OPEN ? open : [];
    if (oldest !== undefined) {
      await settle(oldest[1]);
      oldest[1].close();
      open.delete(oldest[0]);
    }
    const project: OpenProject = { ...openStore(key), archiveBytes: 0 };
    open.set(key, project);
    return { project, remade: project.remade };
  };
  const turn = inTurn();
  let failure: Error | undefined;
  /** After a failure nothing more is stored or committed: a later commit would acknowledge the failed batch. */
  const unlessFailed = async <T>(work: () => Promise<T>): Promise<T> =>
    turn(async () => {
      if (failure !== undefined) throw failure;
      try {
        return await work();
      } catch (cause) {
        failure = cause as Error;
        throw cause;
      }
    });
  const take = async (batches: readonly ProjectBatch[]): Promise<readonly StoredBatch[]> => {
    const storedBatches: StoredBatch[] = [];
    for (const batch of batches) {
      const { project, remade } = await openProject(batch.key);
      project.openChange ??= { change: project.store.index.begin(), words: new NewWords(), packing: [] };
      project.archiveBytes = batch.archiveBytes;
      storedBatches.push({ ...(await storeBatch(project.store, project.openChange, batch)), remade });
    }
    return storedBatches;
  };
  return {
    take: async (batches) => unlessFailed(async () => take(batches)),
    settle: async () => {
      const dropped = await unlessFailed(async () => {
        const all: string[] = [];
        for (const project of open.values()) all.push(...(await settle(project)));
        return all;
      });
      await onDisk;
      return dropped;
    },
    close: async () =>
      turn(async () => {
        await onDisk.catch(() => undefined);
        for (const { openChange, store, close } of open.values()) {
          if (openChange !== undefined) store.index.rollback();
          close();
        }
        open.clear();
      }),
  };
}
