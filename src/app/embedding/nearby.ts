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

/** The chunks nearest in meaning to a question; undefined until the model has embedded all texts. */
export async function nearestTo({ store, embedder }: Vectors, question: string, limit: number): Promise<Result<readonly VectorHit[] | undefined>> {
  if (!store.isComplete(embedder.name)) return ok(undefined);
  const vectors = await embedder.embed([question], 'query');
  if (!vectors.ok) return vectors;
  const [vector] = vectors.value;
  return ok(vector === undefined ? [] : store.nearest(embedder.name, vector, limit));
}

/** The numbers of the items and message chunks nearest in meaning to a question, nearest first. */
export type Nearby = Readonly<Record<EmbeddedKind, readonly VectorHit[]>>;

/** The items and messages nearest to a question; none until the model has embedded all texts. */
async function nearbyIn({ embedder, parts }: EmbeddedPlace, question: string, limit: number): Promise<Result<Nearby>> {
  const nearby: Record<EmbeddedKind, readonly VectorHit[]> = { items: [], messages: [] };
  for (const { kind, store } of parts) {
    const hits = await nearestTo({ store, embedder }, question, limit);
    if (!hits.ok) return hits;
    nearby[kind] = hits.value ?? [];
  }
  return ok(nearby);
}

/** Embeds the same question only once, however many projects are searched; a failed attempt is repeated. */
export function cachingLastQuestion(embedder: Embedder): Embedder {
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

/** Runs a wait outside the turn of the task queue, so that waiting calls go first. */
export type WaitOutsideTurn = <T>(wait: () => Promise<T>) => Promise<T>;

export interface NearbyRequest {
  /** Called with the first question, and only if an embedder is set up. */
  readonly open: () => Promise<OpenEmbedding>;
  /** How long to wait for an embedder, even one that is loading. */
  readonly timeout?: { readonly ms: number; readonly timers: Timers };
  readonly waitOutsideTurn?: WaitOutsideTurn;
  /** For a hook: uses an embedder only if it is loaded in this process; otherwise starts to load it and returns no hits. */
  readonly onlyWarm?: true;
}

/** Searches a memory by meaning; empty if no embedder is set up. */
export type NearbyOf = (memory: Memory) => Pick<SearchPlace, 'nearby'>;

const NO_HITS: Nearby = { items: [], messages: [] };

/** Opens with the first call; `closers` takes what closes it. */
export function openOnce(open: () => Promise<OpenEmbedding>, closers: (() => Promise<void>)[]): () => Promise<OpenEmbedding> {
  let opened: Promise<OpenEmbedding> | undefined;
  const openNow = async (): Promise<OpenEmbedding> => {
    const embedding = await open();
    closers.push(async () => embedding.close());
    return embedding;
  };
  return () => (opened ??= openNow());
}

/** Makes the search by meaning; loads nothing if no embedder is set up. */
export function nearbyFor({ open, timeout, onlyWarm, waitOutsideTurn = (wait) => wait() }: NearbyRequest): NearbyOf {
  const ask = async (memory: Memory, question: string, limit: number): Promise<Result<Nearby>> => {
    const place = (await open()).of(memory);
    if (!place.ok) return place;
    if (place.value === undefined || (onlyWarm && !isLoaded(place.value))) return ok(NO_HITS);
    return nearbyIn(place.value, question, limit);
  };
  return (memory) => {
    if (memory.config.get('embed.provider') === 'none') return {};
    return { nearby: (question, limit) => waitOutsideTurn(() => withTimeout(ask(memory, question, limit), timeout)) };
  };
}

function isLoaded({ embedder, parts }: EmbeddedPlace): boolean {
  if (!embedder.local || !parts.some(({ store }) => store.isComplete(embedder.name))) return false;
  if (embedder.isWarm === false) embedder.warm?.();
  return embedder.isWarm !== false;
}

export function withTimeout<T>(answer: Promise<Result<T>>, timeout: NearbyRequest['timeout']): Promise<Result<T>> {
  if (!timeout) return answer;
  const { ms, timers } = timeout;
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => resolve(refuse('MODEL_ERROR', `the embedder has not answered within ${ms / 1000} s`)));
    answer.then(resolve, reject).finally(cancel);
  });
}
