import { parentPort, workerData } from 'node:worker_threads';
import { isFailure } from '../core/failure.ts';
import type { KeeperAnswer, KeeperQuestion } from '../adapters/process/import-thread.ts';
import { batchWriter } from '../app/episodes/batch-writer.ts';
import { openStore } from './wiring/episode-stores.ts';

/** The second thread of a large import: takes batches in, one after the other, and answers for each. */
export function run(): void {
  const port = parentPort;
  if (port === null) return;
  const { home } = workerData as { readonly home: string };
  const keeper = batchWriter((key) => openStore(home, key));
  const answer = async (question: KeeperQuestion): Promise<KeeperAnswer> => {
    try {
      if (question === 'settle') return { dropped: await keeper.settle() };
      if (question !== 'close') return { kept: await keeper.take(question) };
      await keeper.close();
      return { kept: [] };
    } catch (cause) {
      return { failed: (cause as Error).message, ...(isFailure(cause) && cause.hint !== undefined && { hint: cause.hint }) };
    }
  };
  /** Answers go out in the order of the questions: what is settled reaches the disk while the next batch is worked on. */
  let answered: Promise<void> = Promise.resolve();
  port.on('message', (question: KeeperQuestion) => {
    const said = answer(question);
    answered = answered.then(async () => {
      port.postMessage(await said);
      if (question === 'close') port.close();
    });
  });
}
