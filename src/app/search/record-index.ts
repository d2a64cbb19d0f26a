import { epochOf } from '../../core/instant.ts';
import type { InjectionLog, Reception } from '../../core/ports/injection-log.ts';
import type { Index, ItemFacts, ItemFilter, ItemHit } from '../../core/ports/index.ts';
import type { ChunkRow, IndexSize, Postings, RecallIndex, UnitRow } from '../../recall/port.ts';
import { unitOf } from '../../recall/chunks/split-text.ts';
import type { IndexedChunk } from '../../recall/chunks/message-rows.ts';
import { unpackTexts } from '../../recall/chunks/packed-texts.ts';
import type { IndexMatch } from '../../recall/rank/rank-chunks.ts';

/** Estimates for an item that was not read. */
const CHUNKS_PER_ITEM = 3;
const TERMS_PER_CHUNK = 20;

interface PostingList {
  readonly ids: number[];
  units: number;
  last: number;
}

export interface RecordSearchIndexParts {
  readonly index: Pick<Index, 'search' | 'holding' | 'words' | 'byId' | 'fileCount'>;
  readonly project: string;
  readonly filter: ItemFilter;
  /** So many of the items that share most with the question are cut into chunks. */
  readonly pool: number;
  readonly log?: Pick<InjectionLog, 'receptionOf'>;
}

const nameOf = (item: ItemFacts): string => (item.category === undefined ? item.id : `${item.category}/${item.id}`);
/** A record may name another with or without its category. */
const withoutCategory = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Records and documents for ranking: the index finds the best by their words, and only those are cut into chunks. */
export class RecordSearchIndex implements RecallIndex {
  readonly #parts: RecordSearchIndexParts;
  readonly #items: ItemFacts[] = [];
  readonly #rows: UnitRow[] = [];
  readonly #unitByKey = new Map<string, number>();
  readonly #chunks: IndexedChunk[] = [];
  readonly #byId = new Map<number, IndexedChunk>();

  #termCounts: { readonly terms: readonly string[]; readonly counts: readonly number[] } | undefined;

  constructor(parts: RecordSearchIndexParts) {
    this.#parts = parts;
  }

  /** The item behind a unit of this index. */
  item(unit: number): ItemFacts | undefined {
    return this.#items[unit];
  }

  /** The index's own ranking of some terms, with each item's share of the best score. */
  matches(terms: readonly string[]): readonly IndexMatch[] {
    const hits = this.#search(terms);
    const best = hits[0]?.score ?? 1;
    const received = this.#receptionOf(hits);
    return hits.map(({ item, score }) => {
      const unit = this.#unitByKey.get(keyOf(item)) ?? this.#addItem(item, 0, received?.get(nameOf(item)));
      return { row: this.#rows[unit] as UnitRow, text: item.body, share: best <= 0 ? 0 : score / best };
    });
  }

  /** How many of the terms occur in any item. */
  countKnownTerms(terms: readonly string[]): number {
    const counts = this.#parts.index.holding(terms);
    this.#termCounts = { terms, counts };
    return counts.filter((count) => count > 0).length;
  }

  #search(terms: readonly string[]): readonly ItemHit[] {
    // Uses the counts of `countKnownTerms`: counting twice costs a short search a tenth of its time.
    return this.#parts.index.search(terms, this.#parts.filter, this.#parts.pool, this.#termCounts?.terms === terms ? this.#termCounts.counts : undefined);
  }

  #receptionOf(hits: readonly ItemHit[]): ReadonlyMap<string, Reception> | undefined {
    return this.#parts.log?.receptionOf(hits.map(({ item }) => nameOf(item)));
  }

  size(): IndexSize {
    const units = this.#parts.index.fileCount();
    return { units, chunks: units * CHUNKS_PER_ITEM, terms: units * CHUNKS_PER_ITEM * TERMS_PER_CHUNK };
  }

  postings(terms: readonly string[]): readonly Postings[] {
    const { index, pool } = this.#parts;
    const hits = this.#search(terms);
    const received = this.#receptionOf(hits);
    for (const { item } of hits) if (!this.#unitByKey.has(keyOf(item))) this.#addChunks(item, received?.get(nameOf(item)));
    const lists = this.#postingLists(terms);
    // All matches are loaded, so counting them is exact and free.
    const counted = hits.length < pool ? [] : index.holding(terms);
    return terms.map((term, nth) => {
      const { ids, units: found } = lists.get(term) as PostingList;
      const units = Math.max(found, counted[nth] ?? 0);
      return { ids, units, count: found === 0 ? units * CHUNKS_PER_ITEM : Math.round((ids.length * units) / found) };
    });
  }

  units(numbers: readonly number[]): readonly UnitRow[] {
    return numbers.flatMap((number) => this.#rows[number] ?? []);
  }

  chunks(ids: readonly number[]): readonly ChunkRow[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** Only messages are read together with their neighbours. */
  between(): readonly number[] {
    return [];
  }

  recordsNamed(ids: readonly string[]): readonly UnitRow[] {
    const items = ids.flatMap((id) => this.#parts.index.byId(id)).filter(({ kind }) => kind === 'record');
    return items.map((item) => this.rowOf(item));
  }

  /** The row of an item that was not found by its words. */
  rowOf(item: ItemFacts): UnitRow {
    return this.#rows[this.#unitByKey.get(keyOf(item)) ?? this.#addItem(item, 0)] as UnitRow;
  }

  /** Every query of the index applies the filter already. */
  allowed(): undefined {
    return undefined;
  }

  speakers(): readonly string[] {
    return [];
  }

  words(from: string, to: string): readonly string[] {
    return this.#parts.index.words(from, to);
  }

  #addChunks(item: ItemHit['item'], received: Reception | undefined): void {
    const { chunks, size } = unpackTexts(this.#items.length, item.packedTexts, item);
    this.#addItem(item, size, received);
    this.#chunks.push(...chunks);
    for (const chunk of chunks) this.#byId.set(chunk.id, chunk);
  }

  /** Chunks that hold each of the terms, and how many units do. */
  #postingLists(terms: readonly string[]): ReadonlyMap<string, PostingList> {
    const lists = new Map<string, PostingList>(terms.map((term) => [term, { ids: [], units: 0, last: -1 }]));
    for (const { id, terms: held } of this.#chunks) {
      const unit = unitOf(id);
      for (const term of held) {
        const list = lists.get(term);
        if (list === undefined || list.ids.at(-1) === id) continue;
        list.ids.push(id);
        if (list.last !== unit) list.units++;
        list.last = unit;
      }
    }
    return lists;
  }

  #addItem(item: ItemFacts, size: number, received?: Reception): number {
    const unit = this.#items.push(item) - 1;
    this.#unitByKey.set(keyOf(item), unit);
    const [startedAt, endedAt] = [epochOf(item.createdAt), epochOf(item.updatedAt)];
    this.#rows.push({
      unit,
      type: item.kind,
      id: item.id,
      title: item.title,
      project: this.#parts.project,
      size,
      files: item.files,
      status: item.status,
      ...received,
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      ...(item.kind === 'record' && { trust: item.trust }),
      ...(item.category !== undefined && { category: item.category }),
      ...(item.supersededBy !== undefined && { supersededBy: withoutCategory(item.supersededBy) }),
    });
    return unit;
  }
}

const keyOf = ({ root, path }: ItemFacts): string => `${root}:${path}`;
