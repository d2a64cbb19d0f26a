import { daysInMs, epochOf } from '../instant.ts';
import type { MemoryRecord } from '../record/schema.ts';
import { recordStatus } from './status.ts';

export interface GcRules {
  readonly graceDays: number;
  /** Session summaries are archived instead of purged. */
  readonly archiveRetired: boolean;
}

export type GcVerdict = 'keep' | 'purge' | 'archive' | 'undated';

/** What gc does with a record: only retired ones past their grace period go. */
export function gcVerdict(record: MemoryRecord, { graceDays, archiveRetired }: GcRules, now: number): GcVerdict {
  if (recordStatus(record) !== 'retired') return 'keep';
  const retiredAt = epochOf(record.retired_at);
  if (retiredAt === undefined) return 'undated';
  if (now - retiredAt < daysInMs(graceDays)) return 'keep';
  return record.category === 'session_summary' && archiveRetired ? 'archive' : 'purge';
}

export const RETENTION_REASON = 'Retention: older than retention_days';

/** Whether an active record has outlived its category's retention; 0 days means for ever. */
export function isExpired(record: MemoryRecord, retentionDays: number, now: number): boolean {
  if (retentionDays <= 0 || recordStatus(record) !== 'active') return false;
  const touched = epochOf(record.updated_at) ?? epochOf(record.created_at);
  return touched !== undefined && now - touched >= daysInMs(retentionDays);
}
