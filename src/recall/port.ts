import type { Category } from '../core/record/category.ts';
import type { RecordStatus, Trust } from '../core/record/schema.ts';
import type { ItemUse } from '../core/use/item-use.ts';

/** Embedded stores answer directly, others with a promise. */
export type Answer<T> = T | Promise<T>;

export type UnitType = 'session' | 'record' | 'document';

/** A session, record or document as ranking and hits need it. */
export interface UnitRow {
  readonly unit: number;
  readonly type: UnitType;
  /** Session id, record id or document name. */
  readonly id: string;
  readonly title: string;
  readonly project?: string;
  /** Number of terms in all its chunks except code. */
  readonly size: number;
  /** First and last moment, epoch milliseconds. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly file?: string;
  readonly files?: readonly string[];
  readonly category?: Category;
  readonly status?: RecordStatus;
  readonly trust?: Trust;
  readonly supersededBy?: string;
  /** Sum of its feedback: useful is +1, wrong and outdated are -1. */
  readonly feedback?: number;
  readonly use?: ItemUse;
}

export interface ChunkRow {
  readonly id: number;
  readonly text: string;
  /** Its terms, if the index stores them. */
  readonly terms?: readonly string[];
  readonly messageId?: string;
  readonly at?: number;
  readonly speaker?: string;
  /** Its message ends with a question. */
  readonly asks?: boolean;
}

export interface IndexSize {
  readonly chunks: number;
  readonly units: number;
  /** Terms in all chunks. */
  readonly terms: number;
}

/** The chunks that contain a term, by ascending number. `count` is their total, estimated if `ids` has only some of them. */
export interface Postings {
  readonly ids: ArrayLike<number>;
  readonly count: number;
  /** Set by an index that returns only the best chunks: there are no more to fetch, and this many units contain the term. */
  readonly units?: number;
}

/** Whether there are more postings to fetch. */
export const isCut = ({ ids, count, units }: Postings): boolean => units === undefined && ids.length < count;

export interface UnitFilter {
  readonly type?: UnitType;
  readonly category?: Category;
  readonly includeRetired?: boolean;
  /** Units with content in this time, epoch milliseconds. */
  readonly since?: number;
  readonly until?: number;
}

/** One index: the sessions, records and documents of a project. Terms come from `analyze`, words from `spelledWords`. */
export interface RecallIndex {
  size(): Answer<IndexSize>;
  /** For each term the chunks that contain it; for a term in more than `most` chunks the last `most`. */
  postings(terms: readonly string[], most: number): Answer<readonly Postings[]>;
  /** Those of the units that still exist, in any order. */
  units(numbers: readonly number[]): Answer<readonly UnitRow[]>;
  /** Those of the chunks that still exist, in any order. */
  chunks(ids: readonly number[]): Answer<readonly ChunkRow[]>;
  /** For each chunk its terms in order, as places in `terms` and -1 for any other. Without this method the chunks' texts are analysed. */
  orders?(ids: readonly number[], terms: readonly string[]): Answer<readonly ArrayLike<number>[]>;
  /** Numbers of all chunks in the given ranges, both ends included. */
  between(stretches: readonly (readonly [number, number])[]): Answer<readonly number[]>;
  /** Records by their ids. */
  recordsNamed(ids: readonly string[]): Answer<readonly UnitRow[]>;
  /** Numbers of the units that pass a filter; undefined if the index returns no others anyway. */
  allowed(filter: UnitFilter): Answer<ReadonlySet<number> | undefined>;
  /** Names of the speakers in its chats. */
  speakers(): Answer<readonly string[]>;
  /** Those of the words that are indexed. Without this method they are looked up one by one. */
  known?(words: readonly string[]): Answer<readonly string[]>;
  /** Indexed words from `from` (included) to `to` (excluded), in order. */
  words(from: string, to: string): Answer<readonly string[]>;
}
