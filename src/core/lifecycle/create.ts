import { daysInMs, epochOf, utcSeconds } from '../instant.ts';
import type { Category } from '../record/category.ts';
import { validate, type Draft } from '../record/draft.ts';
import { repair } from '../record/repair.ts';
import type { MemoryRecord } from '../record/schema.ts';
import { ok, refuse, type Result } from '../result.ts';
import { INITIAL } from './event-time.ts';
import { recordStatus } from './status.ts';

const RESURRECTION_MS = daysInMs(1);
const SYSTEM_FIELDS = ['retired_at', 'retired_reason', 'archived_at', 'archived_reason', 'superseded_by'];

/** A new record from a draft: always active, always of the category and id that were asked for. */
export function newRecord(draft: Draft, category: Category, id: string, now: number): Result<MemoryRecord> {
  const record = repair(draft, category, now);
  record['created_at'] ||= utcSeconds(now);
  record['record_status'] = 'active';
  record['id'] = id;
  record['changes'] ??= [{ date: utcSeconds(now), summary: INITIAL }];
  record['times_updated'] ??= 0;
  for (const field of SYSTEM_FIELDS) delete record[field];
  return validate(category, record);
}

/** Whether a create may take the place of what lies there: only of a record retired long enough ago. */
export function mayReplace(existing: MemoryRecord, now: number): Result<true> {
  const status = recordStatus(existing);
  if (status !== 'retired') {
    return refuse('CREATE_OVERWRITE_ERROR', `${existing.id} exists and is ${status}`, {
      hint: status === 'archived' ? 'unarchive and update it, or choose another title' : 'update it, or choose another title',
    });
  }
  const retiredAt = epochOf(existing.retired_at);
  if (retiredAt === undefined || now - retiredAt >= RESURRECTION_MS) return ok(true);
  return refuse('ANTI_RESURRECTION_ERROR', `${existing.id} was retired at ${existing.retired_at}, less than 24 hours ago`, {
    hint: 'choose another title, wait, or restore and update it',
  });
}
