import type { Category } from '../core/record/category.ts';
import type { MemoryRecord } from '../core/record/schema.ts';
import type { JsonLayout } from './json/layout.ts';
import type { MarkdownLayout } from './markdown/layout.ts';

/** Far above what anyone writes; a file beyond it is not read at all. */
export const FILE_LIMIT = 16 * 1024 * 1024;

/** What a file's place says of its record, for what the file itself leaves out. */
export interface RecordHint {
  readonly category: Category;
  readonly id: string;
  /** When the file was last changed. */
  readonly time: string;
}

/** How a file says what its record says: kept so that writing it again changes only what changed. */
export type Layout = MarkdownLayout | JsonLayout;

export interface ParsedRecord<L extends Layout = Layout> {
  readonly record: MemoryRecord;
  readonly layout: L;
  /** Fields that the file does not have and that were filled in, as dotted paths. */
  readonly filled: readonly string[];
}
