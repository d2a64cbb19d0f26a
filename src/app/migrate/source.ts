import type { Category } from '../../core/record/category.ts';
import type { Draft } from '../../core/record/draft.ts';

/** The layouts of other tools, and older layouts of Holdfast, that can be migrated. */
export type SourceKind =
  | 'infinite-memory-1.2'
  | 'infinite-memory-1.3'
  | 'memory-module'
  | 'memory-folder'
  | 'json-store'
  | 'auto-memory'
  | 'knowledge-graph'
  | 'basic-memory'
  | 'claude-mem';

/** A text that is taken over word for word, because its form is one that we read. */
export interface SourceFileItem {
  /** Its name in the source, by which the next run knows that it was imported. */
  readonly from: string;
  /** Where it goes in the private root. */
  readonly path: string;
  readonly text: string;
}

/** Something that becomes a record. */
export interface SourceRecordItem {
  readonly from: string;
  readonly category: Category;
  readonly draft: Draft;
  readonly sessionId?: string;
}

export type SourceItem = SourceFileItem | SourceRecordItem;

/** What stays behind, and why. */
export interface Left {
  readonly what: string;
  readonly why: string;
}

export interface SourceContents {
  readonly items: readonly SourceItem[];
  readonly left: readonly Left[];
}

/** One place where memories of another layout lie. */
export interface MigrationSource extends SourceContents {
  readonly kind: SourceKind;
  readonly place: string;
  /** Set where the files are read as they stand, so that nothing needs to be taken over. */
  readonly inPlace?: string;
}

export const isRecordItem = (item: SourceItem): item is SourceRecordItem => 'category' in item;
