import type { EpisodeArchive, EpisodeChange, EpisodeKeeper, ProjectBatch, StoredBatch } from '../../core/ports/episodes.ts';
import type { Md5 } from '../../core/ports/host.ts';
import { NewWords } from '../../recall/text/words.ts';
import { appendPacked, keepBatch } from './keep.ts';

/** The store and the archive that one transaction of an import changes. */
export interface BatchTransaction {
  readonly change: EpisodeChange;
  readonly archive: Pick<EpisodeArchive, 'pack' | 'append'>;
}

/** Runs work in a transaction over what is known of a batch's sessions; what it changed is stored for good when it returns. */
export type InBatch = <T>(batch: ProjectBatch, work: (transaction: BatchTransaction) => Promise<T>) => Promise<T>;

/** Takes in conversations where each batch is one transaction: there is nothing left to settle. */
export const transactionKeeper = (inBatch: InBatch, md5: Md5): EpisodeKeeper => ({
  take: async (batches) => {
    const stored: StoredBatch[] = [];
    for (const batch of batches) {
      const done = await inBatch(batch, async ({ change, archive }) => {
        const keeping = { change, words: new NewWords(), packing: [] };
        const result = await keepBatch({ archive, md5 }, keeping, batch);
        await appendPacked({ archive }, keeping);
        return result;
      });
      stored.push({ ...done, remade: false });
    }
    return stored;
  },
  settle: async () => [],
  close: async () => undefined,
});
