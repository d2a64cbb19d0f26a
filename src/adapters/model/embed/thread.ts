import type { Embedder, EmbeddingRole } from '../../../core/ports/embedding.ts';
import { refuse, type Refusal, type Result } from '../../../core/result.ts';
import { vectorsOf } from './vectors.ts';
import { MODEL_NAME, PACKAGES, type PinnedPackage } from './packages.ts';

/**
 * The code of the thread as text, so that it needs no file beside the bundle. It loads the model after comparing the hash of each file with
 * the pinned one, and answers one text after the other.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const bytesOf = (name) => {
  const bytes = readFileSync(join(workerData.folder, name));
  if (createHash('sha512').update(bytes).digest('base64') !== workerData.hashes[name]) throw new Error(name + ' is damaged: its SHA-512 differs');
  return bytes;
};
bytesOf('engine.cjs');
bytesOf('engine_bg.wasm');
const { Embedder } = require(join(workerData.folder, 'engine.cjs'));
const engine = new Embedder(bytesOf('weights.safetensors'), bytesOf('tokenizer.json'), bytesOf('config.json'), workerData.tokens);
parentPort.on('message', ({ nth, text }) => parentPort.postMessage({ nth, vector: Float32Array.from(engine.embed([text])[0]) }));
parentPort.postMessage({ ready: true });
`;

/** The model ignores later tokens. */
const TOKENS = 256;
/** Characters that can hold so many tokens; fewer for a question, because a user waits and each token takes a millisecond or more. */
const LONGEST: Readonly<Record<EmbeddingRole, number>> = { passage: 1_500, query: 320 };
/** An idle session unloads the model, which takes 250 MB of memory. */
const IDLE_MS = 10 * 60_000;
/** Pause before a model that failed to load is tried again, so that not every prompt tries. */
const RETRY_MS = 60_000;

export interface ThreadEmbedderParts {
  readonly folder: string;
  /** Called when the model cannot be loaded or its thread ends, and with undefined when it works. */
  readonly report?: (problem: string | undefined) => void;
  readonly packages?: readonly PinnedPackage[];
  readonly idleMs?: number;
}

type Reply = { readonly ready: true } | { readonly nth: number; readonly vector: Float32Array };
type Thread = import('node:worker_threads').Worker;

/** all-MiniLM-L6-v2 in a thread of this process, loaded with the first text and unloaded when idle. */
export class ThreadEmbedder implements Embedder {
  readonly name = `minilm:${MODEL_NAME}`;
  readonly local = true;
  readonly #parts: ThreadEmbedderParts;
  readonly #pending = new Map<number, (vector: Float32Array | undefined) => void>();
  #thread: Thread | undefined;
  #isReady = false;
  #textNumber = 0;
  #failure: { readonly at: number; readonly refusal: Refusal } | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: ThreadEmbedderParts) {
    this.#parts = parts;
  }

  get isWarm(): boolean {
    return this.#isReady;
  }

  warm(): void {
    if (this.#failure === undefined || performance.now() - this.#failure.at > RETRY_MS) this.#start();
  }

  async embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>> {
    this.warm();
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const vector = await this.#ask(text.slice(0, LONGEST[role]));
      if (vector === undefined) return { ok: false, error: this.#failure?.refusal ?? UNLOADED };
      vectors.push(vector);
    }
    return vectorsOf(vectors, texts.length, this.name);
  }

  close(): void {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#unload();
    void thread?.terminate();
  }

  #ask(text: string): Promise<Float32Array | undefined> {
    const thread = this.#thread;
    if (thread === undefined) return Promise.resolve(undefined);
    clearTimeout(this.#idle);
    const nth = this.#textNumber++;
    return new Promise((resolve) => {
      this.#pending.set(nth, resolve);
      // Keeps the process alive until the answer; an idle thread does not.
      thread.ref();
      thread.postMessage({ nth, text }, []);
    });
  }

  #start(): void {
    if (this.#thread !== undefined) return;
    const { folder, packages = PACKAGES } = this.#parts;
    const hashes = Object.fromEntries(packages.flatMap(({ files }) => files.map(({ as, sha512 }) => [as, sha512])));
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const thread = new Worker(PROGRAM, { eval: true, workerData: { folder, hashes, tokens: TOKENS }, stdout: true, stderr: true, env: {} });
    this.#thread = thread;
    this.#failure = undefined;
    thread.unref();
    thread.on('message', (reply: Reply) => this.#onReply(thread, reply));
    thread.on('error', (cause) => this.#fail(thread, cause.message));
    thread.on('exit', () => this.#fail(thread, 'its thread ended'));
  }

  #onReply(thread: Thread, reply: Reply): void {
    if (thread !== this.#thread) return;
    if ('ready' in reply) {
      this.#isReady = true;
      this.#parts.report?.(undefined);
    } else {
      this.#pending.get(reply.nth)?.(reply.vector);
      this.#pending.delete(reply.nth);
    }
    if (this.#pending.size > 0) return;
    thread.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), this.#parts.idleMs ?? IDLE_MS).unref();
  }

  #fail(thread: Thread, why: string): void {
    if (thread !== this.#thread) return;
    const message = `The model in ${this.#parts.folder} cannot be used: ${(why.split('\n')[0] ?? '').slice(0, 200)}.`;
    const { error } = refuse('MODEL_ERROR', message, { hint: 'holdfast embed setup installs it again' });
    this.#failure = { at: performance.now(), refusal: error };
    this.#parts.report?.(message);
    this.#unload();
  }

  #unload(): void {
    this.#thread = undefined;
    this.#isReady = false;
    for (const resolve of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }
}

const UNLOADED: Refusal = { code: 'MODEL_ERROR', message: 'The model was unloaded while a text waited for it.' };
