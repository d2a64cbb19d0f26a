import { parentPort, workerData } from 'node:worker_threads';
import { isFailure } from '../../core/failure.ts';
import type { ProjectBatch } from '../../core/ports/episodes.ts';
import { type KeeperAnswer, localKeeper } from '../compose/episode-keeper.ts';

/** The second thread of a large import: takes batches in, one after the other, and answers for each. */
function serve(): void {
  const port = parentPort;
  if (port === null) return;
  const keeper = localKeeper((workerData as { readonly home: string }).home);
  const answer = async (message: readonly ProjectBatch[] | 'close'): Promise<KeeperAnswer> => {
    try {
      if (message !== 'close') return { kept: await keeper.keep(message) };
      await keeper.close();
      return { closed: true };
    } catch (cause) {
      return { failed: (cause as Error).message, ...(isFailure(cause) && cause.hint !== undefined && { hint: cause.hint }) };
    }
  };
  port.on('message', (message: readonly ProjectBatch[] | 'close') => void answer(message).then((said) => port.postMessage(said)));
}

serve();
