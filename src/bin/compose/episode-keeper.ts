import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { appendPacked, type BatchKeeping, keepBatch, makeRoom } from '../../app/episodes/keep.ts';
import { Failure } from '../../core/failure.ts';
import { inTurn } from '../../core/in-turn.ts';
import type { EpisodeKeeper, Kept, ProjectBatch } from '../../core/ports/episodes.ts';
import { NewWords } from '../../recall/words.ts';
import { openStore, type OpenedStore } from './episode-store.ts';

/** Projects that are open at once; an import goes through them mostly one after the other. */
const MOST_OPEN = 16;

interface Working extends OpenedStore {
  /** A change that was begun and is not settled yet. */
  keeping?: BatchKeeping | undefined;
  archiveBytes: number;
}

/** Keeps episodes in this thread. */
export function localKeeper(home: string): EpisodeKeeper {
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
    // Met by whoever awaits it later; until then it is nobody's.
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
    const working: Working = { ...openStore(home, key), archiveBytes: 0 };
    open.set(key, working);
    return { working, remade: working.remade };
  };
  const turn = inTurn();
  let broken: Error | undefined;
  /** After a failure nothing is taken or settled any more: what came before it would be acknowledged without what failed. */
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
  const take = async (batches: readonly ProjectBatch[]): Promise<readonly Kept[]> => {
    const kept: Kept[] = [];
    for (const batch of batches) {
      const { working, remade } = await storeOf(batch.key);
      working.keeping ??= { change: working.store.index.begin(), words: new NewWords(), packing: [] };
      working.archiveBytes = batch.archiveBytes;
      kept.push({ ...(await keepBatch(working.store, working.keeping, batch)), remade });
    }
    return kept;
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

export type KeeperQuestion = readonly ProjectBatch[] | 'settle' | 'close';
export type KeeperAnswer = { readonly kept: readonly Kept[] } | { readonly dropped: readonly string[] } | { readonly failed: string; readonly hint?: string };

/** The program that keeps episodes beside this one; only there once it is built. */
const WORKER = join(import.meta.dirname, 'import-thread.js');
const HEAP_MB = 160;
/** What a batch takes is garbage soon after: more room for it means less collecting. */
const YOUNG_MB = 48;

/** Keeps episodes in a thread of its own, so that one core reads while another indexes. Undefined where that program is not there. */
export function threadKeeper(home: string): EpisodeKeeper | undefined {
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
  worker.on('exit', (code) => fail(new Failure('IO_ERROR', `keeping episodes ended with ${code}`)));
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
      // Ends by itself then, and leaves behind what makes the next start quicker.
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      await ask('close');
      await ended;
    },
  };
}
