import { appendPacked, type BatchKeeping, type EpisodeStore, keepBatch, makeRoom } from './keep.ts';
import { inTurn } from '../../core/task-queue.ts';
import type { EpisodeKeeper, StoredBatch, ProjectBatch } from '../../core/ports/episodes.ts';
import { NewWords } from '../../recall/text/words.ts';

/** Projects that are open at once; an import goes through them mostly one after the other. */
const MOST_OPEN = 16;

/** The conversations of one project, open for writing. */
export interface OpenedStore {
  readonly store: EpisodeStore;
  /** Whether its index was made again. */
  readonly remade: boolean;
  close(): void;
}

interface Working extends OpenedStore {
  /** A change that was begun and is not committed yet. */
  keeping?: BatchKeeping | undefined;
  archiveBytes: number;
}

/** Writes batches of conversations in this thread. */
export function batchWriter(openStore: (key: string) => OpenedStore): EpisodeKeeper {
  const open = new Map<string, Working>();
  /** Archives on their way to the disk, one after the other, while the next batches are worked on. */
  let onDisk: Promise<void> = Promise.resolve();
  const settle = async (working: Working): Promise<readonly string[]> => {
    const { keeping, store, archiveBytes } = working;
    if (keeping === undefined) return [];
    await appendPacked(store, keeping);
    working.keeping = undefined;
    store.index.commit();
    onDisk = onDisk.then(async () => store.archive.settle());
    // Awaited later; keep it from being reported as unhandled.
    onDisk.catch(() => undefined);
    return makeRoom(store, archiveBytes);
  };
  const storeOf = async (key: string): Promise<{ readonly working: Working; readonly remade: boolean }> => {
    const known = open.get(key);
    if (known !== undefined) return { working: known, remade: false };
    const [oldest] = open.size >= MOST_OPEN ? open : [];
    if (oldest !== undefined) {
      await settle(oldest[1]);
      oldest[1].close();
      open.delete(oldest[0]);
    }
    const working: Working = { ...openStore(key), archiveBytes: 0 };
    open.set(key, working);
    return { working, remade: working.remade };
  };
  const turn = inTurn();
  let broken: Error | undefined;
  /** After a failure no batch is taken or committed any more: earlier batches would be acknowledged without the failed one. */
  const unlessBroken = async <T>(work: () => Promise<T>): Promise<T> =>
    turn(async () => {
      if (broken !== undefined) throw broken;
      try {
        return await work();
      } catch (cause) {
        broken = cause as Error;
        throw cause;
      }
    });
  const take = async (batches: readonly ProjectBatch[]): Promise<readonly StoredBatch[]> => {
    const storedBatches: StoredBatch[] = [];
    for (const batch of batches) {
      const { working, remade } = await storeOf(batch.key);
      working.keeping ??= { change: working.store.index.begin(), words: new NewWords(), packing: [] };
      working.archiveBytes = batch.archiveBytes;
      storedBatches.push({ ...(await keepBatch(working.store, working.keeping, batch)), remade });
    }
    return storedBatches;
  };
  return {
    take: async (batches) => unlessBroken(async () => take(batches)),
    settle: async () => {
      const dropped = await unlessBroken(async () => {
        const all: string[] = [];
        for (const working of open.values()) all.push(...(await settle(working)));
        return all;
      });
      await onDisk;
      return dropped;
    },
    close: async () =>
      turn(async () => {
        await onDisk.catch(() => undefined);
        for (const { keeping, store, close } of open.values()) {
          if (keeping !== undefined) store.index.rollback();
          close();
        }
        open.clear();
      }),
  };
}
