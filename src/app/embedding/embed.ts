import type { Md5 } from '../../core/ports/host.ts';
import type { Embedder, VectorStore } from '../../core/ports/embedding.ts';
import type { Refusal } from '../../core/result.ts';
import type { Index, ItemFacts } from '../../core/ports/index.ts';
import type { FileRef } from '../../core/ports/store.ts';

export interface EmbeddedText {
  readonly id: number;
  readonly text: string;
  readonly label?: string;
}

/** The source of the texts to embed: the chunks of an index, by ascending number. */
export interface EmbeddingSource {
  /** Up to `limit` chunks with numbers above `after`. */
  chunks(after: number, limit: number): readonly EmbeddedText[] | Promise<readonly EmbeddedText[]>;
  count(): number | Promise<number>;
}

export interface EmbedRequest {
  readonly source: EmbeddingSource;
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly md5: Md5;
  /** Called after every batch. */
  readonly progress?: (so: EmbedProgress) => void;
  /** Called before every batch: false leaves the rest for another time. */
  readonly mayContinue?: () => boolean;
}

export interface EmbedProgress {
  readonly seen: number;
  readonly embedded: number;
  readonly removed: number;
}

export interface EmbedReport extends EmbedProgress {
  readonly model: string;
  /** Whether searches may use the vectors. */
  readonly complete: boolean;
  /** Why it stopped early; the next pass continues after the vectors so far. */
  readonly stopped?: Refusal | 'interrupted';
}

const BATCH_SIZE = 64;
const DIGEST_LENGTH = 16;
const FIRST_KEY = 0;
const LAST_KEY = Number.MAX_SAFE_INTEGER;

/**
 * Gives every text of the index a vector of the embedder's model, a batch at a time, and removes vectors whose text is gone.
 * Until a new model has embedded all texts, searches use the vectors of the old one.
 */
export async function embedAll(request: EmbedRequest): Promise<EmbedReport> {
  const { source, store, embedder, md5, progress, mayContinue = () => true } = request;
  const model = embedder.name;
  let [seen, embedded, removed] = [0, 0, 0];
  const report = (stopped?: EmbedReport['stopped']): EmbedReport => ({
    model,
    seen,
    embedded,
    removed,
    complete: store.isComplete(model),
    ...(stopped !== undefined && { stopped }),
  });
  for (let after = FIRST_KEY - 1; ;) {
    if (!mayContinue()) return report('interrupted');
    const page = await source.chunks(after, BATCH_SIZE);
    const last = page.at(-1)?.id ?? LAST_KEY;
    removed += store.prune(model, after + 1, last, new Set(page.map(({ id }) => id)));
    if (page.length === 0) break;
    const digests = store.digests(
      model,
      page.map(({ id }) => id),
    );
    const unembedded = page
      .map(({ id, text, label }) => ({ key: id, text, digest: md5(text).slice(0, DIGEST_LENGTH), ...(label !== undefined && { label }) }))
      .filter(({ key, text, digest }) => text.trim() !== '' && digests.get(key) !== digest);
    const vectors =
      unembedded.length === 0
        ? undefined
        : await embedder.embed(
            unembedded.map(({ text }) => text),
            'passage',
          );
    if (vectors && !vectors.ok) return report(vectors.error);
    store.put(
      model,
      unembedded.map(({ text: _text, ...one }, at) => ({ ...one, vector: vectors?.value[at] as Float32Array })),
    );
    [seen, embedded, after] = [seen + page.length, embedded + unembedded.length, last];
    progress?.({ seen, embedded, removed });
  }
  store.complete(model);
  return report();
}

const HALF_KEY_RANGE = 2 ** 26;

/** The label of an item's vector: where its file lies. */
const labelOf = ({ root, path }: FileRef): string => `${root}:${path}`;

export function placeOfLabel(label: string): FileRef {
  const colon = label.indexOf(':');
  return { root: label.slice(0, colon) as FileRef['root'], path: label.slice(colon + 1) };
}

/** The key of an item's vector: 52 bits from where its file lies, so that it stays the same when the index is made again. */
export function itemKey(place: FileRef): number {
  const name = labelOf(place);
  let [a, b] = [2_166_136_261, 40_389];
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    a = Math.imul(a ^ code, 16_777_619);
    b = Math.imul(b + code, 2_654_435_761) ^ (b >>> 15);
  }
  return ((a >>> 0) % HALF_KEY_RANGE) * HALF_KEY_RANGE + ((b >>> 0) % HALF_KEY_RANGE);
}

/** The text of an item; empty for a document without content. */
function textOf({ kind, title, tags }: ItemFacts, body: string): string {
  if (kind === 'document' && body.replace(/<!--[^]*?-->|^#.*$/gm, '').trim() === '') return '';
  return `${title}\n${tags.join(', ')}\n${body}`;
}

/** Records and documents, each as one text: title, tags and body. */
export function itemTexts(index: Pick<Index, 'items' | 'body'>): EmbeddingSource {
  let sorted: readonly { readonly id: number; readonly item: ItemFacts }[] | undefined;
  return {
    count: () => index.items().filter((item) => item.kind === 'record' || textOf(item, index.body(item) ?? '') !== '').length,
    chunks: (after, limit) => {
      sorted ??= index
        .items()
        .map((item) => ({ id: itemKey(item), item }))
        .toSorted((a, b) => a.id - b.id);
      const from = sorted.findIndex(({ id }) => id > after);
      const page = from < 0 ? [] : sorted.slice(from, from + limit);
      return page.map(({ id, item }) => ({ id, label: labelOf(item), text: textOf(item, index.body(item) ?? '') }));
    },
  };
}
