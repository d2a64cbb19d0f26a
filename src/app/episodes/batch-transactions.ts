import type { EpisodeArchive, EpisodeChange, EpisodeKeeper, ProjectBatch, StoredBatch } from '../../core/ports/episodes.ts';
import type { Md5 } from '../../core/ports/host.ts';
import { NewWords } from '../../recall/text/words.ts';
import { appendPacked, storeBatch } from './keep.ts';

/** The store and the archive that one transaction of an import changes. */
export interface BatchTransaction {
  readonly change: EpisodeChange;
  readonly archive: Pick<EpisodeArchive, 'pack' | 'append'>;
}

/** Stores a batch within a transaction. */
export async function storeInTransaction({ change, archive }: BatchTransaction, md5: Md5, batch: ProjectBatch): Promise<Omit<StoredBatch, 'remade'>> {
  const openChange = { change, words: new NewWords(), packing: [] };
  const stored = await storeBatch({ archive, md5 }, openChange, batch);
  await appendPacked({ archive }, openChange);
  return stored;
}

/** Runs work in a transaction on a batch's sessions; its changes are durable when it returns. */
export type InBatch = <T>(batch: ProjectBatch, work: (transaction: BatchTransaction) => Promise<T>) => Promise<T>;

/** Stores conversations with one transaction for each batch, so that nothing is left to settle. */
export const transactionKeeper = (inBatch: InBatch, md5: Md5): EpisodeKeeper => ({
  take: async (batches) => {
    const stored: StoredBatch[] = [];
    for (const batch of batches) {
      const result = await inBatch(batch, (transaction) => storeInTransaction(transaction, md5, batch));
      stored.push({ ...result, remade: false });
    }
    return stored;
  },
  settle: async () => [],
  close: async () => undefined,
});
