import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { Failure, isFailure } from '../../core/failure.ts';
import type { EpisodeKeeper, StoredBatch, ProjectBatch } from '../../core/ports/episodes.ts';

type KeeperRequest = readonly ProjectBatch[] | 'settle' | 'close';
type KeeperResponse =
  | { readonly stored: readonly StoredBatch[] }
  | { readonly dropped: readonly string[] }
  | { readonly failed: string; readonly hint?: string };

/** The built program of the writing thread. */
const WORKER = join(import.meta.dirname, 'import-thread.js');
const HEAP_MB = 160;
/** A batch's memory becomes garbage soon: a larger young generation means fewer collections. */
const YOUNG_MB = 48;

/** Writes batches in another thread, so that one core reads while another indexes. Undefined if that thread's program is not built. */
export function threadWriter(home: string): EpisodeKeeper | undefined {
  if (!existsSync(WORKER)) return undefined;
  const worker = new Worker(WORKER, { workerData: { home }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB } });
  /** Answers come in the order of the questions. */
  const pending: { resolve(answer: KeeperResponse): void; reject(cause: Error): void }[] = [];
  let failure: Failure | undefined;
  const fail = (cause: Failure): void => {
    failure ??= cause;
    for (const { reject } of pending.splice(0)) reject(failure);
  };
  worker.on('message', (answer: KeeperResponse) => pending.shift()?.resolve(answer));
  worker.on('error', (cause) => fail(new Failure('IO_ERROR', `storing episodes failed: ${cause.message}`, { cause })));
  worker.on('exit', (code) => fail(new Failure('IO_ERROR', `the import thread ended with code ${code}`)));
  const ask = async (question: KeeperRequest): Promise<Exclude<KeeperResponse, { readonly failed: string }>> => {
    const answer = await new Promise<KeeperResponse>((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      pending.push({ resolve, reject });
      worker.postMessage(question, []);
    });
    if ('failed' in answer) throw new Failure('IO_ERROR', answer.failed, answer.hint === undefined ? {} : { hint: answer.hint });
    return answer;
  };
  return {
    take: async (batches) => {
      const answer = await ask(batches);
      return 'stored' in answer ? answer.stored : [];
    },
    settle: async () => {
      const answer = await ask('settle');
      return 'dropped' in answer ? answer.dropped : [];
    },
    close: async () => {
      if (failure !== undefined) return;
      // Waits for the thread to end by itself, because then it saves its compile cache for the next start.
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      await ask('close');
      await ended;
    },
  };
}

/** Runs in that thread: stores batches one after the other and answers each. `open` opens the writer under a home. */
export function serveBatches(open: (home: string) => EpisodeKeeper): void {
  const port = parentPort;
  if (port === null) return;
  const keeper = open((workerData as { readonly home: string }).home);
  const answer = async (question: KeeperRequest): Promise<KeeperResponse> => {
    try {
      if (question === 'settle') return { dropped: await keeper.settle() };
      if (question !== 'close') return { stored: await keeper.take(question) };
      await keeper.close();
      return { stored: [] };
    } catch (cause) {
      return { failed: (cause as Error).message, ...(isFailure(cause) && cause.hint !== undefined && { hint: cause.hint }) };
    }
  };
  /** Sends answers in the order of the requests, while the next batch may already be in work. */
  let lastAnswer: Promise<void> = Promise.resolve();
  port.on('message', (question: KeeperRequest) => {
    const result = answer(question);
    lastAnswer = lastAnswer.then(async () => {
      port.postMessage(await result);
      if (question === 'close') port.close();
    });
  });
}
