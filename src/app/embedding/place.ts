import type { Md5 } from '../../core/ports/host.ts';
import type { Embedder, VectorStore } from '../../core/ports/embedding.ts';
import type { Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { embedAll, type EmbeddingSource, type EmbedReport } from './embed.ts';

export type EmbeddedKind = 'items' | 'messages';

/** Texts of one kind with their vectors. */
export interface EmbeddedPart {
  readonly kind: EmbeddedKind;
  readonly source: EmbeddingSource;
  readonly store: VectorStore;
}

/** A memory whose texts have vectors, or are to get them. */
export interface EmbeddedPlace {
  readonly embedder: Embedder;
  readonly parts: readonly EmbeddedPart[];
}

/** The configured embedder, from the composition root; undefined if none is set up. */
export interface Embedding {
  of(memory: Memory): Result<EmbeddedPlace | undefined>;
}

export interface EmbeddedCount {
  readonly model: string;
  readonly embedded: number;
  readonly texts: number;
  /** Whether searches use the vectors, because the model has embedded all texts once. */
  readonly complete: boolean;
}

export async function countEmbedded({ index }: Pick<Memory, 'index'>, { embedder, parts }: EmbeddedPlace): Promise<EmbeddedCount> {
  const model = embedder.name;
  let [embedded, texts] = [0, parts.length === 0 ? index.count() : 0];
  for (const { source, store } of parts) [embedded, texts] = [embedded + store.count(model), texts + (await source.count())];
  return { model, embedded, texts, complete: parts.some(({ store }) => store.isComplete(model)) };
}

export interface EmbedPlaceRequest {
  readonly md5: Md5;
  readonly progress?: (done: number, texts: number) => void;
  readonly mayContinue?: () => boolean;
}

/** Embeds a memory's texts, records and documents first. A failure ends the pass; the next one continues from there. */
export async function embedPlace({ embedder, parts }: EmbeddedPlace, { md5, progress, mayContinue }: EmbedPlaceRequest): Promise<EmbedReport> {
  let texts = 0;
  for (const { source } of parts) texts += await source.count();
  let total: EmbedReport = { model: embedder.name, seen: 0, embedded: 0, removed: 0, complete: true };
  for (const { source, store } of parts) {
    const before = total;
    const report = await embedAll({
      source,
      store,
      embedder,
      md5,
      ...(mayContinue && { mayContinue }),
      progress: ({ seen }) => progress?.(before.seen + seen, texts),
    });
    total = {
      model: embedder.name,
      seen: before.seen + report.seen,
      embedded: before.embedded + report.embedded,
      removed: before.removed + report.removed,
      complete: before.complete && (report.complete || report.seen === 0),
      ...(report.stopped !== undefined && { stopped: report.stopped }),
    };
    if (report.stopped !== undefined) break;
  }
  return total;
}
