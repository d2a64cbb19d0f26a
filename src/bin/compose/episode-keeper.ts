import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { keepBatch } from '../../app/episodes/keep.ts';
import { Failure } from '../../core/failure.ts';
import type { EpisodeKeeper, Kept } from '../../core/ports/episodes.ts';
import { openStore, type OpenedStore } from './episode-store.ts';

/** Projects that are open at once; an import goes through them mostly one after the other. */
const MOST_OPEN = 16;

/** Keeps episodes in this thread. */
export function localKeeper(home: string): EpisodeKeeper {
  const open = new Map<string, OpenedStore>();
  const storeOf = (key: string): { readonly opened: OpenedStore; readonly remade: boolean } => {
    const known = open.get(key);
    if (known !== undefined) return { opened: known, remade: false };
    const [oldest] = open.size >= MOST_OPEN ? open : [];
    if (oldest !== undefined) {
      oldest[1].close();
      open.delete(oldest[0]);
    }
    const opened = openStore(home, key);
    open.set(key, opened);
    return { opened, remade: opened.remade };
  };
  return {
    keep: async (batches) => {
      const kept: Kept[] = [];
      for (const batch of batches) {
        const { opened, remade } = storeOf(batch.key);
        kept.push({ ...(await keepBatch(opened.store, batch)), remade });
      }
      return kept;
    },
    close: async () => {
      for (const { close } of open.values()) close();
    },
  };
}

export type KeeperAnswer = { readonly kept: readonly Kept[] } | { readonly failed: string; readonly hint?: string } | { readonly closed: true };

/** The program that keeps episodes beside this one; only there once it is built. */
const WORKER = join(import.meta.dirname, 'late-episodes-worker.js');
const HEAP_MB = 160;

/** Keeps episodes in a thread of its own, so that one core reads while another indexes. Undefined where that program is not there. */
export function threadKeeper(home: string): EpisodeKeeper | undefined {
  if (!existsSync(WORKER)) return undefined;
  const worker = new Worker(WORKER, { workerData: { home }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.unref();
  const ask = (message: unknown): Promise<KeeperAnswer> =>
    new Promise((resolve, reject) => {
      const settle = (work: () => void): void => {
        worker.removeAllListeners();
        worker.unref();
        work();
      };
      worker.ref();
      worker.once('message', (answer: KeeperAnswer) => settle(() => resolve(answer)));
      worker.once('error', (cause) => settle(() => reject(new Failure('IO_ERROR', `keeping episodes failed: ${cause.message}`, { cause }))));
      worker.once('exit', (code) => settle(() => reject(new Failure('IO_ERROR', `keeping episodes ended with ${code}`))));
      worker.postMessage(message);
    });
  return {
    keep: async (batches) => {
      const answer = await ask(batches);
      if ('kept' in answer) return answer.kept;
      throw new Failure('IO_ERROR', 'failed' in answer ? answer.failed : 'keeping episodes ended too early', 'hint' in answer && answer.hint !== undefined ? { hint: answer.hint } : {});
    },
    close: async () => {
      await ask('close');
      await worker.terminate();
    },
  };
}
