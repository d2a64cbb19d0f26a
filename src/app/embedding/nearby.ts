import type { Embedder, VectorHit, VectorStore } from '../../core/ports/embedding.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Timers } from '../../core/ports/host.ts';
import type { Memory } from '../memory/memory.ts';
import type { SearchPlace } from '../search/search.ts';
import type { OpenEmbedding } from './open.ts';
import type { EmbeddedKind, EmbeddedPlace } from './place.ts';

export interface Vectors {
  readonly store: VectorStore;
  readonly embedder: Embedder;
}

/** Chunks nearest in meaning to a question; undefined while the model has not been through all texts, when words alone decide. */
export async function nearestTo({ store, embedder }: Vectors, question: string, limit: number): Promise<Result<readonly VectorHit[] | undefined>> {
  if (!store.isComplete(embedder.name)) return ok(undefined);
  const vectors = await embedder.embed([question], 'query');
  if (!vectors.ok) return vectors;
  const [vector] = vectors.value;
  return ok(vector === undefined ? [] : store.nearest(embedder.name, vector, limit));
}

/** The numbers of the items and message chunks nearest in meaning to a question, nearest first. */
export type Nearby = Readonly<Record<EmbeddedKind, readonly VectorHit[]>>;

/** Nothing while the model has not been through all texts: words alone decide. */
async function nearbyIn({ embedder, parts }: EmbeddedPlace, question: string, limit: number): Promise<Result<Nearby>> {
  const found: Record<EmbeddedKind, readonly VectorHit[]> = { items: [], messages: [] };
  for (const { kind, store } of parts) {
    const hits = await nearestTo({ store, embedder }, question, limit);
    if (!hits.ok) return hits;
    found[kind] = hits.value ?? [];
  }
  return ok(found);
}

/** Asks for a question's vector once, however many projects are searched; what failed is asked for anew. */
export function rememberingQuestions(embedder: Embedder): Embedder {
  let last: { readonly text: string; readonly vectors: ReturnType<Embedder['embed']> } | undefined;
  return {
    name: embedder.name,
    local: embedder.local,
    get isWarm() {
      return embedder.isWarm !== false;
    },
    warm: () => embedder.warm?.(),
    close: () => embedder.close?.(),
    embed: async (texts, role) => {
      const [text] = texts;
      if (role !== 'query' || texts.length !== 1 || text === undefined) return embedder.embed(texts, role);
      if (last?.text !== text) last = { text, vectors: embedder.embed(texts, role) };
      const vectors = await last.vectors;
      if (!vectors.ok) last = undefined;
      return vectors;
    },
  };
}

/** Runs a wait so that those who queue behind it go first. */
export type WaitOutsideTurn = <T>(wait: () => Promise<T>) => Promise<T>;

export interface NearbyRequest {
  /** Called with a question, and not at all where no embedder is set up. */
  readonly open: () => Promise<OpenEmbedding>;
  /** Waits no longer than this for any embedder, even one that is loading. */
  readonly within?: { readonly ms: number; readonly timers: Timers };
  readonly aside?: WaitOutsideTurn;
  /** For a hook: asks only an embedder of this process that is loaded. Another begins to load, and words alone decide meanwhile. */
  readonly onlyWarm?: true;
}

/** The search by meaning in a memory; empty if no embedder is set up. */
export type NearbyOf = (memory: Memory) => Pick<SearchPlace, 'nearby'>;

const NOTHING: Nearby = { items: [], messages: [] };

/** Opens with the first call; `closers` takes what closes it. */
export function openedOnce(open: () => Promise<OpenEmbedding>, closers: (() => Promise<void>)[]): () => Promise<OpenEmbedding> {
  let opened: Promise<OpenEmbedding> | undefined;
  const openNow = async (): Promise<OpenEmbedding> => {
    const embedding = await open();
    closers.push(async () => embedding.close());
    return embedding;
  };
  return () => (opened ??= openNow());
}

/** How a search asks for what is near in meaning: not at all, and without loading anything for it, where no embedder is set up. */
export function nearbyFor({ open, within, onlyWarm, aside = (wait) => wait() }: NearbyRequest): NearbyOf {
  const ask = async (memory: Memory, question: string, limit: number): Promise<Result<Nearby>> => {
    const place = (await open()).of(memory);
    if (!place.ok) return place;
    if (place.value === undefined || (onlyWarm && !isReady(place.value))) return ok(NOTHING);
    return nearbyIn(place.value, question, limit);
  };
  return (memory) => {
    if (memory.config.get('embed.provider') === 'none') return {};
    return { nearby: (question, limit) => aside(() => withTimeout(ask(memory, question, limit), within)) };
  };
}

function isReady({ embedder, parts }: EmbeddedPlace): boolean {
  if (!embedder.local || !parts.some(({ store }) => store.isComplete(embedder.name))) return false;
  if (embedder.isWarm === false) embedder.warm?.();
  return embedder.isWarm !== false;
}

export function withTimeout<T>(answer: Promise<Result<T>>, within: NearbyRequest['within']): Promise<Result<T>> {
  if (!within) return answer;
  const { ms, timers } = within;
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => resolve(refuse('MODEL_ERROR', `the embedder has not answered within ${ms / 1000} s`)));
    answer.then(resolve, reject).finally(cancel);
  });
}
