import type { RootName } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import type { RecordStatus, Trust } from '../../core/record/schema.ts';
import type { ItemUse } from '../../core/use/item-use.ts';
import type { Answer } from '../port.ts';

/** What the gate needs from ranking: the best hits for a text, and how common each of its terms is. Any ranker can implement it. Files open in the work may count. */
export type RankRecords = (query: string, limit: number, open?: readonly string[]) => Answer<RankedRecords>;

export interface RankedRecords {
  /** Records and documents that were searched. */
  readonly total: number;
  /** How many of them hold a term of the query; a term that none holds may be left out. */
  readonly counts: ReadonlyMap<string, number>;
  /** Set where an embedder was asked and has answered: what it finds not near has no `similarity`. */
  readonly byMeaning?: true;
  /** Best first. */
  readonly hits: readonly GateHit[];
}

export interface GateHit {
  readonly kind: 'record' | 'document';
  /** `category/id` of a record, the name of a document. */
  readonly id: string;
  /** Where a record or document lies; `user` is the user's own memory. */
  readonly root?: RootName;
  readonly title: string;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  /** What it says, or the passage that was found. */
  readonly text: string;
  /** The terms of all of it as an index keeps them (`packKept`), where it does: they need not be made from the texts again. */
  readonly pieces?: string;
  /** The ranker's own score: higher is better, comparable within one answer. */
  readonly score: number;
  readonly category?: Category;
  readonly status: RecordStatus;
  readonly trust: Trust;
  readonly updatedAt: string;
  readonly supersededBy?: string;
  /** Nearness in meaning, from 0 to 1, where an embedder is set up. */
  readonly similarity?: number;
  /** Sum of what people said of it: useful is +1, wrong and outdated are -1. */
  readonly feedback?: number;
  readonly use?: ItemUse;
}
