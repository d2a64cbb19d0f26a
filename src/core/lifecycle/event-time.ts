import { epochOf } from '../instant.ts';
import type { MemoryRecord } from '../record/schema.ts';

/** The summary of the first entry of `changes`. */
export const INITIAL = 'Initial creation';

type Dated = Pick<MemoryRecord, 'created_at' | 'updated_at' | 'changes' | 'times_updated'>;

const later = (a: string, b: string): string => ((epochOf(b) ?? 0) > (epochOf(a) ?? 0) ? b : a);

/**
 * The time of a record's statement: its last change in content, or its creation. `updated_at` also moves when a record is written long after the event or
 * changes its status, and February's decision must not read as today's. `filled` names the fields that the file leaves out.
 */
export function eventTime({ created_at: created, updated_at: updated, changes, times_updated: times }: Dated, filled: readonly string[] = []): string {
  const all = changes ?? [];
  if (times === 0) return created;
  const entry = times === undefined ? undefined : all.findLast(({ field, summary }) => field !== 'record_status' && summary !== INITIAL);
  if (entry) return later(created, entry.date);
  // The file's own time, or that of a write that changed no content.
  const isWritten = (filled.includes('updated_at') && !filled.includes('created_at')) || all.some(({ date }) => date === updated);
  return isWritten ? created : updated;
}
