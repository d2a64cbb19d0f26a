import type { FieldRedaction } from '../../core/redact/deep.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';

/** The result of a write. */
export interface Written {
  readonly status: string;
  readonly record: MemoryRecord;
  readonly place: FileRef;
  readonly file: string;
  /** MD5 of the file now; the next optimistic update passes it back. */
  readonly hash: string;
  readonly warnings: readonly string[];
  readonly redactions: readonly FieldRedaction[];
  readonly reason?: string;
  /** Session summaries that the rolling window retired with this write. */
  readonly retired?: readonly string[];
  readonly renamedFrom?: string;
}

const STORED: ReadonlySet<string> = new Set(['created', 'updated']);

/** Announces a saved record about the user. */
export const announcementLines = ({ status, record, place }: Pick<Written, 'status' | 'record' | 'place'>): readonly string[] =>
  STORED.has(status) && (place.root === 'user' || record.category === 'preference') ? [`📝 Noted: ${record.title}`] : [];
