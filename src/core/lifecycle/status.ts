import { utcSeconds } from '../instant.ts';
import { CHANGES_CAP, SUMMARY_LIMIT, type Change, type MemoryRecord, type RecordStatus } from '../record/schema.ts';
import { ok, refuse, type RefusalCode, type Result } from '../result.ts';

/** The result of a request to change a record's status. */
export type Transition =
  | { readonly status: string; readonly record: MemoryRecord; readonly reason?: string }
  | { readonly status: string; readonly record?: undefined };

const NO_REASON = 'No reason provided';

export const recordStatus = (record: { readonly record_status?: RecordStatus | undefined }): RecordStatus => record.record_status ?? 'active';

/** The newest `CHANGES_CAP` changes: the oldest make room. */
export const capChanges = (changes: readonly Change[]): Change[] => changes.slice(-CHANGES_CAP);

const LIFE_FIELDS = ['retired_at', 'retired_reason', 'archived_at', 'archived_reason'] as const;

function withStatus(
  record: MemoryRecord,
  to: RecordStatus,
  summary: string,
  now: number,
  marks: Partial<Record<(typeof LIFE_FIELDS)[number], string>>,
): MemoryRecord {
  const date = utcSeconds(now);
  const change: Change = { date, summary: summary.slice(0, SUMMARY_LIMIT), field: 'record_status', old_value: recordStatus(record), new_value: to };
  const rest: Record<string, unknown> = { ...record };
  for (const field of LIFE_FIELDS) delete rest[field];
  return { ...rest, record_status: to, updated_at: date, changes: capChanges([...(record.changes ?? []), change]), ...marks } as unknown as MemoryRecord;
}

const cannot = (code: RefusalCode, record: MemoryRecord, participle: string, hint: string): Result<never> =>
  refuse(code, `${record.id} is ${recordStatus(record)} and cannot be ${participle}`, { hint });

export function retire(record: MemoryRecord, reason: string | undefined, now: number): Result<Transition> {
  const status = recordStatus(record);
  if (status === 'retired') return ok({ status: 'already_retired' });
  if (status === 'archived') return cannot('DELETE_ERROR', record, 'retired', 'unarchive it first');
  const why = reason || NO_REASON;
  return ok({
    status: 'retired',
    reason: why,
    record: withStatus(record, 'retired', `Retired: ${why}`, now, { retired_at: utcSeconds(now), retired_reason: why }),
  });
}

export function restore(record: MemoryRecord, now: number): Result<Transition> {
  const status = recordStatus(record);
  if (status === 'active') return ok({ status: 'already_active' });
  if (status === 'archived') return cannot('RESTORE_ERROR', record, 'restored', 'unarchive brings back what was archived');
  return ok({ status: 'restored', record: withStatus(record, 'active', 'Restored from retirement', now, {}) });
}

export function archive(record: MemoryRecord, reason: string | undefined, now: number): Result<Transition> {
  const status = recordStatus(record);
  if (status === 'archived') return ok({ status: 'already_archived' });
  if (status === 'retired') return cannot('ARCHIVE_ERROR', record, 'archived', 'restore it first; only active records are archived');
  return ok(archived(record, reason || NO_REASON, now));
}

/** Archives a record of any status: gc archives retired session summaries this way. */
export function archived(
  record: MemoryRecord,
  why: string,
  now: number,
): { readonly status: 'archived'; readonly reason: string; readonly record: MemoryRecord } {
  return {
    status: 'archived',
    reason: why,
    record: withStatus(record, 'archived', `Archived: ${why}`, now, { archived_at: utcSeconds(now), archived_reason: why }),
  };
}

export function unarchive(record: MemoryRecord, now: number): Result<Transition> {
  if (recordStatus(record) !== 'archived') return cannot('UNARCHIVE_ERROR', record, 'unarchived', 'only archived records can be unarchived');
  return ok({ status: 'unarchived', record: withStatus(record, 'active', 'Unarchived', now, {}) });
}
