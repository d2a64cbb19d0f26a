import type { MemoryRecord } from '../core/record/schema.ts';
import { TEXT_CHARACTERS } from '../core/limits.ts';
import type { Category } from '../core/record/category.ts';
import { hasConflictMarkers, markerLine } from '../core/record/conflict-markers.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { MarkdownLayout } from './markdown/layout.ts';

/** A JSON record file as it was read. */
export interface JsonLayout {
  readonly form: 'json';
  readonly source: string;
  readonly record: MemoryRecord;
  /** The object in the file, unknown keys included. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** Refuses a record's file, Markdown or JSON, that is too long or has conflict markers. */
export function checkSource(source: string): Result<true> {
  if (source.length > TEXT_CHARACTERS) return refuse('READ_ERROR', `line 1: the file has more than ${TEXT_CHARACTERS} characters`);
  if (!hasConflictMarkers(source)) return ok(true);
  return refuse('READ_ERROR', `line ${markerLine(source)}: git left conflict markers in the file`, { hint: 'holdfast merge joins the two versions' });
}

/** Values from a file's path, for fields that the file lacks. */
export interface RecordHint {
  readonly category: Category;
  readonly id: string;
  /** When the file was last changed. */
  readonly time: string;
}

/** How a record is written in its file, so that writing it again changes only the changed fields. */
export type Layout = MarkdownLayout | JsonLayout;

export interface ParsedRecord<L extends Layout = Layout> {
  readonly record: MemoryRecord;
  readonly layout: L;
  /** Fields that were filled in because the file lacks them, as dotted paths. */
  readonly filled: readonly string[];
}

/** Deeper than any record, and shallow enough for recursion. */
export const DEPTH_LIMIT = 256;

export const isTooDeep = (value: unknown, limit = DEPTH_LIMIT): boolean =>
  value !== null && typeof value === 'object' && (limit === 0 || Object.values(value).some((inner) => isTooDeep(inner, limit - 1)));

/** The line end of most lines of a file. */
export function eolOf(source: string): '\n' | '\r\n' {
  const all = source.split('\n').length - 1;
  const windows = source.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}
