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

/** A text that is imported word for word, because Holdfast reads its form. */
export interface SourceFileItem {
  /** Its name in the source, by which a later run recognises it. */
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

/** The items that are not imported, and why. */
export interface SkippedItem {
  readonly what: string;
  readonly why: string;
}

export interface SourceContents {
  readonly items: readonly SourceItem[];
  readonly left: readonly SkippedItem[];
}

/** One place with memories in another layout. */
export interface MigrationSource extends SourceContents {
  readonly kind: SourceKind;
  readonly place: string;
  /** Set if the files are read in place, so that nothing needs to be imported. */
  readonly inPlace?: string;
}

export const isRecordItem = (item: SourceItem): item is SourceRecordItem => 'category' in item;
