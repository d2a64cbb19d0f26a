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

/** Whether a hook may use vectors: everything has to be in this process and in memory already. */
export const readyForHook = ({ store, embedder }: Vectors): boolean => embedder.local && store.isLoaded(embedder.name) && store.isComplete(embedder.name);

/** Chunks nearest in meaning to a question; undefined while the model has not been through all texts, when words alone decide. */
export async function nearestTo({ store, embedder }: Vectors, question: string, limit: number): Promise<Result<readonly VectorHit[] | undefined>> {
  if (!store.isComplete(embedder.name)) return ok(undefined);
  const vectors = await embedder.embed([question], 'query');
  if (!vectors.ok) return vectors;
  const [vector] = vectors.value;
  return ok(vector === undefined ? [] : store.nearest(embedder.name, vector, limit));
}

/** What is nearest in meaning to a question, nearest first: items and chunks of messages by their numbers. */
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
  let last: { readonly text: string; readonly asked: ReturnType<Embedder['embed']> } | undefined;
  return {
    name: embedder.name,
    local: embedder.local,
    embed: async (texts, role) => {
      const [text] = texts;
      if (role !== 'query' || texts.length !== 1 || text === undefined) return embedder.embed(texts, role);
      if (last?.text !== text) last = { text, asked: embedder.embed(texts, role) };
      const vectors = await last.asked;
      if (!vectors.ok) last = undefined;
      return vectors;
    },
  };
}

/** Runs a wait so that those who queue behind it go first. */
export type Aside = <T>(wait: () => Promise<T>) => Promise<T>;

export interface NearbyRequest {
  /** Called with the first question, and not at all where no embedder is set up. */
  readonly open: () => Promise<OpenEmbedding>;
  /** Takes what closes it. */
  readonly closers: (() => Promise<void>)[];
  /** Waits no longer than this for any embedder, even one that is loading. */
  readonly within?: { readonly ms: number; readonly timers: Timers };
  readonly aside?: Aside;
}

const NOTHING: Nearby = { items: [], messages: [] };

/** How a search asks for what is near in meaning: not at all, and without loading anything for it, where no embedder is set up. */
export function nearbyFor({ open, closers, within, aside = (wait) => wait() }: NearbyRequest): (memory: Memory) => Pick<SearchPlace, 'nearby'> {
  let opened: Promise<OpenEmbedding> | undefined;
  const openOnce = async (): Promise<OpenEmbedding> => {
    const embedding = await open();
    closers.push(async () => embedding.close());
    return embedding;
  };
  const ask = async (memory: Memory, question: string, limit: number): Promise<Result<Nearby>> => {
    const place = (await (opened ??= openOnce())).of(memory);
    if (!place.ok) return place;
    return place.value === undefined ? ok(NOTHING) : nearbyIn(place.value, question, limit);
  };
  return (memory) => {
    if (memory.config.get('embed.provider') === 'none') return {};
    return { nearby: (question, limit) => aside(() => withTimeout(ask(memory, question, limit), within)) };
  };
}

function withTimeout(asked: Promise<Result<Nearby>>, within: NearbyRequest['within']): Promise<Result<Nearby>> {
  if (!within) return asked;
  const { ms, timers } = within;
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => resolve(refuse('MODEL_ERROR', `the embedder has not answered within ${ms / 1000} s`)));
    asked.then(resolve, reject).finally(cancel);
  });
}
