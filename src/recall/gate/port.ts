import type { RootName } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import type { RecordStatus, Trust } from '../../core/record/schema.ts';
import type { ItemUse } from '../../core/use/item-use.ts';
import type { Answer } from '../port.ts';

/** The ranking that the gate needs: the best hits for a text, and how common each of its terms is. The ranker may use the `open` files. */
export type RankRecords = (query: string, limit: number, open?: readonly string[]) => Answer<RankedRecords>;

export interface RankedRecords {
  /** Records and documents that were searched. */
  readonly total: number;
  /** How many of them contain each term of the query; a term that none contains may be missing. */
  readonly counts: ReadonlyMap<string, number>;
  /** Set if an embedder answered: a hit that it does not find near then has no `similarity`. */
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
  /** Its text, or the passage that matched. */
  readonly text: string;
  /** The terms that the index stores (`packTexts`), if it does: they need not be made from the texts again. */
  readonly packedTexts?: string;
  /** The ranker's own score: higher is better, comparable within one answer. */
  readonly score: number;
  readonly category?: Category;
  readonly status: RecordStatus;
  readonly trust: Trust;
  readonly updatedAt: string;
  readonly supersededBy?: string;
  /** Nearness in meaning, from 0 to 1, where an embedder is set up. */
  readonly similarity?: number;
  /** Sum of its feedback: useful is +1, wrong and outdated are -1. */
  readonly feedback?: number;
  readonly use?: ItemUse;
}
