import type { Index, ItemFacts } from '../../core/ports/index.ts';
import type { EmbeddingSource } from './embed.ts';

const HALF = 2 ** 26;

/** A number for an item that stays the same however often the index is made anew: 52 bits from where its file lies. */
export function itemKey({ root, path }: Pick<ItemFacts, 'root' | 'path'>): number {
  const name = `${root}:${path}`;
  let [a, b] = [2_166_136_261, 40_389];
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    a = Math.imul(a ^ code, 16_777_619);
    b = Math.imul(b + code, 2_654_435_761) ^ (b >>> 15);
  }
  return ((a >>> 0) % HALF) * HALF + ((b >>> 0) % HALF);
}

/** Records and documents, each as one text: title, tags and body. */
export function itemTexts(index: Pick<Index, 'items' | 'body'>): EmbeddingSource {
  let sorted: readonly { readonly id: number; readonly item: ItemFacts }[] | undefined;
  return {
    count: () => index.items().length,
    chunks: (after, limit) => {
      sorted ??= index
        .items()
        .map((item) => ({ id: itemKey(item), item }))
        .toSorted((a, b) => a.id - b.id);
      const from = sorted.findIndex(({ id }) => id > after);
      const page = from < 0 ? [] : sorted.slice(from, from + limit);
      return page.map(({ id, item }) => ({ id, text: `${item.title}\n${item.tags.join(', ')}\n${index.body(item) ?? ''}` }));
    },
  };
}
