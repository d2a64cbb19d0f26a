import { serveBatches } from '../adapters/process/import-thread.ts';
import { batchWriter } from '../app/episodes/batch-writer.ts';
import { openStore } from './wiring/episodes.ts';

/** The second thread of a large import. */
export const run = (): void => serveBatches((home) => batchWriter((key) => openStore(home, key)));
