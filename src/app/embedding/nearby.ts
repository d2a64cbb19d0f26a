import type { Embedder, VectorHit } from '../../core/ports/embedding.ts';
import { ok, type Result } from '../../core/result.ts';
import { nearestTo } from './nearest.ts';
import type { EmbeddedKind, EmbeddedPlace } from './place.ts';

/** What is nearest in meaning to a question, nearest first: items and chunks of messages by their numbers. */
export type Nearby = Readonly<Record<EmbeddedKind, readonly VectorHit[]>>;

/** Nothing while the model has not been through all texts: words alone decide. */
export async function nearbyIn({ embedder, parts }: EmbeddedPlace, question: string, limit: number): Promise<Result<Nearby>> {
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
