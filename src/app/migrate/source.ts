import type { Category } from '../../core/record/category.ts';
import type { Draft } from '../../core/record/draft.ts';

/** The layouts of others, and our own elder ones, that a memory can be made from. */
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

/** A file of a source; the path is relative to it, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
}

/** A text that is taken over word for word, because its form is one that we read. */
export interface FilePiece {
  /** What the source calls it: tells on the next run that it has been taken over. */
  readonly from: string;
  /** Where it goes in the private root. */
  readonly path: string;
  readonly text: string;
}

/** Something that becomes a record of ours. */
export interface RecordPiece {
  readonly from: string;
  readonly category: Category;
  readonly draft: Draft;
  readonly sessionId?: string;
}

export type Piece = FilePiece | RecordPiece;

/** What stays behind, and why. */
export interface Left {
  readonly what: string;
  readonly why: string;
}

export interface Read {
  readonly pieces: readonly Piece[];
  readonly left: readonly Left[];
}

/** One place where memories of another layout lie. */
export interface Source extends Read {
  readonly kind: SourceKind;
  readonly place: string;
  /** Set where the files are read as they stand, so that nothing needs to be taken over. */
  readonly inPlace?: string;
}

export const isRecordPiece = (piece: Piece): piece is RecordPiece => 'category' in piece;
