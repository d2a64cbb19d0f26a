import type { Category } from '../../record/category.ts';
import type { RecordStatus, Trust } from '../../record/schema.ts';
import type { NewChunk } from '../episodes.ts';

/** A record or document of a team as it is listed. Times are epoch milliseconds. */
export interface TeamItem {
  /** As in its versions. */
  readonly id: string;
  readonly type: 'record' | 'document';
  /** The id of the record, or the name of the document. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly category?: Category;
  readonly status: RecordStatus;
  readonly trust: Trust;
  readonly supersededBy?: string;
}

/** The same with what a search finds it by. */
export interface IndexedItem extends TeamItem {
  readonly unit: number;
  readonly chunks: readonly NewChunk[];
  /** Terms in all its chunks. */
  readonly size: number;
  /** Its words as they are spelled, each with its terms: by these they are taken out again. */
  readonly words: readonly (readonly [word: string, ...terms: string[]])[];
}

export interface ItemPage {
  /** Only what was last said before. */
  readonly before?: number;
  /** Only what comes behind this one, the last of the page before: many may have been said at the same time. */
  readonly behind?: { readonly endedAt: number; readonly id: string };
  readonly limit: number;
  readonly type?: TeamItem['type'];
}

/** Records and documents of a project as a search finds them; kept in the transaction that changes their versions. */
export interface ItemIndex {
  /** The numbers of those that are indexed; asked first before a change, because this also locks the index. */
  units(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The first of so many unused numbers. */
  drawUnits(count: number): Promise<number>;
  /** Takes items out, with every word that nothing else in the project holds. */
  remove(ids: readonly string[]): Promise<void>;
  put(items: readonly IndexedItem[]): Promise<void>;
  /** Newest first. */
  list(page: ItemPage): Promise<readonly TeamItem[]>;
  named(name: string): Promise<readonly TeamItem[]>;
}

/** A text that waits for a vector: a chunk of what is searched. */
export interface WaitingText {
  readonly chunk: number;
  readonly text: string;
}

/** Vectors of an organisation's chunks, where the database can keep them. Derived: they are made again from the texts, and go with them. */
export interface ChunkVectors {
  /** Chunks without a vector of this model, newest first, with numbers below `before`. */
  waiting(model: string, page: { readonly before?: number; readonly most: number }): Promise<readonly WaitingText[]>;
  /** Takes vectors of length one; those of texts that have changed or gone meanwhile are left out. */
  put(model: string, vectors: readonly (WaitingText & { readonly vector: Float32Array })[]): Promise<void>;
  /** Chunks of messages, or of records and documents, nearest first, by cosine; of all projects where none is named. */
  nearest(
    model: string,
    question: Float32Array,
    options: { readonly project?: number; readonly isTalk: boolean; readonly most: number },
  ): Promise<readonly { readonly chunk: number; readonly near: number }[]>;
}
