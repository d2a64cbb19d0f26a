import type { Embedder, VectorHit, VectorStore } from '../../core/ports/embedding.ts';
import { ok, type Result } from '../../core/result.ts';

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
