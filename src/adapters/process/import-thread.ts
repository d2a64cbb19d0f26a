import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { Failure, isFailure } from '../../core/failure.ts';
import type { EpisodeKeeper, StoredBatch, ProjectBatch } from '../../core/ports/episodes.ts';

type KeeperQuestion = readonly ProjectBatch[] | 'settle' | 'close';
type KeeperAnswer = { readonly kept: readonly StoredBatch[] } | { readonly dropped: readonly string[] } | { readonly failed: string; readonly hint?: string };

/** The program that writes batches beside this one; only there once it is built. */
const WORKER = join(import.meta.dirname, 'import-thread.js');
const HEAP_MB = 160;
/** A batch's memory becomes garbage soon: a larger young generation means fewer collections. */
const YOUNG_MB = 48;

/** Writes batches in a thread of its own, so that one core reads while another indexes. Undefined if that program is not there. */
export function threadWriter(home: string): EpisodeKeeper | undefined {
  if (!existsSync(WORKER)) return undefined;
  const worker = new Worker(WORKER, { workerData: { home }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB } });
  /** Answers come in the order of the questions. */
  const waiting: { resolve(answer: KeeperAnswer): void; reject(cause: Error): void }[] = [];
  let gone: Failure | undefined;
  const fail = (cause: Failure): void => {
    gone ??= cause;
    for (const { reject } of waiting.splice(0)) reject(gone);
  };
  worker.on('message', (answer: KeeperAnswer) => waiting.shift()?.resolve(answer));
  worker.on('error', (cause) => fail(new Failure('IO_ERROR', `keeping episodes failed: ${cause.message}`, { cause })));
  worker.on('exit', (code) => fail(new Failure('IO_ERROR', `the import thread ended with code ${code}`)));
  const ask = async (question: KeeperQuestion): Promise<Exclude<KeeperAnswer, { readonly failed: string }>> => {
    const answer = await new Promise<KeeperAnswer>((resolve, reject) => {
      if (gone !== undefined) return reject(gone);
      waiting.push({ resolve, reject });
      worker.postMessage(question, []);
    });
    if ('failed' in answer) throw new Failure('IO_ERROR', answer.failed, answer.hint === undefined ? {} : { hint: answer.hint });
    return answer;
  };
  return {
    take: async (batches) => {
      const answer = await ask(batches);
      return 'kept' in answer ? answer.kept : [];
    },
    settle: async () => {
      const answer = await ask('settle');
      return 'dropped' in answer ? answer.dropped : [];
    },
    close: async () => {
      if (gone !== undefined) return;
      // The thread ends by itself then, and leaves its compile cache for the next start.
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      await ask('close');
      await ended;
    },
  };
}

/** Runs in that thread: takes batches, one after the other, and answers for each. `open` opens the writer under a home. */
export function serveBatches(open: (home: string) => EpisodeKeeper): void {
  const port = parentPort;
  if (port === null) return;
  const keeper = open((workerData as { readonly home: string }).home);
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
    const pending = answer(question);
    answered = answered.then(async () => {
      port.postMessage(await pending);
      if (question === 'close') port.close();
    });
  });
}
