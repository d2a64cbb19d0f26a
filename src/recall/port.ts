import type { Category } from '../core/record/category.ts';
import type { RecordStatus, Trust } from '../core/record/schema.ts';
import type { ItemUse } from '../core/use/item-use.ts';

/** Embedded stores answer at once, others with a promise. */
export type Answer<T> = T | Promise<T>;

export type UnitType = 'session' | 'record' | 'document';

/** What ranking and a hit need to know of a session, a record or a document. */
export interface UnitRow {
  readonly unit: number;
  readonly type: UnitType;
  /** Session id, record id or document name. */
  readonly id: string;
  readonly title: string;
  readonly project?: string;
  /** Terms in all its chunks but those of code. */
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
  /** Sum of what people said of it: useful is +1, wrong and outdated are -1. */
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
  /** The message it belongs to ends by asking something. */
  readonly asks?: boolean;
}

export interface IndexSize {
  readonly chunks: number;
  readonly units: number;
  /** Terms in all chunks. */
  readonly terms: number;
}

/** Chunks that hold a term, by ascending number. `count` is how many there are, about, when only some are given. */
export interface Postings {
  readonly ids: ArrayLike<number>;
  readonly count: number;
  /** Set by an index that gives the best only: there is nothing more to fetch, and this many units hold the term. */
  readonly units?: number;
}

/** Whether there is more of it to fetch. */
export const isCut = ({ ids, count, units }: Postings): boolean => units === undefined && ids.length < count;

export interface UnitFilter {
  readonly type?: UnitType;
  readonly category?: Category;
  readonly includeRetired?: boolean;
  /** Units with anything in this time, epoch milliseconds. */
  readonly since?: number;
  readonly until?: number;
}

/** One index: the sessions, records and documents of a project. Terms are what `analyze` gives; words are what `wordsOf` gives. */
export interface RecallIndex {
  size(): Answer<IndexSize>;
  /** For each term the chunks that hold it; of a term in more than `most` chunks the last `most`. */
  postings(terms: readonly string[], most: number): Answer<readonly Postings[]>;
  /** Those of the units that still exist, in any order. */
  units(numbers: readonly number[]): Answer<readonly UnitRow[]>;
  /** Those of the chunks that still exist, in any order. */
  chunks(ids: readonly number[]): Answer<readonly ChunkRow[]>;
  /** For each chunk the terms it holds in their order, as places among `terms` and -1 for any other. Without it their texts are analysed. */
  orders?(ids: readonly number[], terms: readonly string[]): Answer<readonly ArrayLike<number>[]>;
  /** Numbers of all chunks in any of the stretches of numbers, both ends included. */
  between(stretches: readonly (readonly [number, number])[]): Answer<readonly number[]>;
  /** Records by their ids. */
  recordsNamed(ids: readonly string[]): Answer<readonly UnitRow[]>;
  /** Numbers of the units that a filter lets through; undefined if it gives no others anyway. */
  allowed(filter: UnitFilter): Answer<ReadonlySet<number> | undefined>;
  /** Names of those who speak in its chats; none if there are no chats. */
  speakers(): Answer<readonly string[]>;
  /** Those of the words that are indexed; without it they are looked up one by one. */
  known?(words: readonly string[]): Answer<readonly string[]>;
  /** Indexed words from `from` up to but not including `to`, in order. */
  words(from: string, to: string): Answer<readonly string[]>;
}
