import { TEXT_CHARACTERS } from '../core/limits.ts';
import type { Category } from '../core/record/category.ts';
import type { MemoryRecord } from '../core/record/schema.ts';
import { hasConflictMarkers, markerLine } from '../core/record/conflict-markers.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { JsonLayout } from './json/layout.ts';
import type { MarkdownLayout } from './markdown/layout.ts';

/** What no record's file may be, in either form. */
export function checkSource(source: string): Result<true> {
  if (source.length > TEXT_CHARACTERS) return refuse('READ_ERROR', `line 1: the file has more than ${TEXT_CHARACTERS} characters`);
  if (!hasConflictMarkers(source)) return ok(true);
  return refuse('READ_ERROR', `line ${markerLine(source)}: git left conflict markers in the file`, { hint: 'holdfast merge joins the two versions' });
}

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
