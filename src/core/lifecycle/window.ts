import { epochOf, daysInMs } from '../instant.ts';
import type { RecordOf, MemoryRecord } from '../record/schema.ts';
import { recordStatus } from './status.ts';

export const WINDOW_REASON = 'Session rolling window: exceeded max_retained limit';
/** A safety valve: one run never retires more than this. */
export const MAX_RETIRE = 10;

export interface SummaryFile {
  readonly path: string;
  readonly record: RecordOf<'session_summary'>;
}

export interface WindowPlan {
  readonly retire: readonly SummaryFile[];
  readonly activeAfter: number;
  readonly warnings: readonly string[];
}

const normal = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
const wordsOf = (text: string): string[] => normal(text).match(/[\p{L}\p{N}]{3,}/gu) ?? [];
const CAPTURED_SHARE = 0.6;

const keyItems = ({ record: { content } }: SummaryFile): readonly string[] => [...content.completed, ...(content.blockers ?? []), ...content.next_actions];

/** Whether most of an item's words stand in one title of the index. */
function inTitles(item: string, titles: readonly ReadonlySet<string>[]): boolean {
  const words = wordsOf(item);
  return words.length > 0 && titles.some((title) => words.filter((word) => title.has(word)).length >= CAPTURED_SHARE * words.length);
}

/** The items that only this session holds: no other active session and no indexed title has them. */
function uniqueItems(session: SummaryFile, others: readonly SummaryFile[], titles: readonly ReadonlySet<string>[]): string[] {
  const elsewhere = new Set(others.flatMap(keyItems).map(normal));
  return keyItems(session).filter((item) => !elsewhere.has(normal(item)) && !inTitles(item, titles));
}

/** Which sessions leave the window: the oldest by creation, a missing time counting as oldest. */
export function planWindow(sessions: readonly SummaryFile[], maxRetained: number, indexTitles: readonly string[], maxRetire = MAX_RETIRE): WindowPlan {
  const active = sessions
    .filter(({ record }) => recordStatus(record) === 'active')
    .toSorted((a, b) => (epochOf(a.record.created_at) ?? 0) - (epochOf(b.record.created_at) ?? 0) || (a.path < b.path ? -1 : 1));
  const retire = active.slice(0, Math.max(0, Math.min(active.length - maxRetained, maxRetire)));
  const titles = indexTitles.map((title) => new Set(wordsOf(title)));
  const warnings = retire.flatMap((session) => {
    const items = uniqueItems(
      session,
      active.filter((other) => other !== session && !retire.includes(other)),
      titles,
    );
    return items.length === 0
      ? []
      : [`WARNING: Session ${session.record.id} contains unique content not captured elsewhere: ${items.join('; ')}. Consider saving these before retirement.`];
  });
  return { retire, activeAfter: active.length - retire.length, warnings };
}

export interface GcRules {
  readonly graceDays: number;
  /** Which records are archived instead of purged. */
  readonly archives: 'all' | 'summaries' | 'none';
}

export type GcVerdict = 'keep' | 'purge' | 'archive' | 'undated';

/** Decides what gc does with a record: it removes only retired ones whose grace period is over. */
export function gcVerdict(record: MemoryRecord, { graceDays, archives }: GcRules, now: number): GcVerdict {
  if (recordStatus(record) !== 'retired') return 'keep';
  const retiredAt = epochOf(record.retired_at);
  if (retiredAt === undefined) return 'undated';
  if (now - retiredAt < daysInMs(graceDays)) return 'keep';
  return archives === 'all' || (archives === 'summaries' && record.category === 'session_summary') ? 'archive' : 'purge';
}

export const RETENTION_REASON = 'Retention: older than retention_days';

/** Whether an active record has outlived its category's retention; 0 days means for ever. */
export function isExpired(record: MemoryRecord, retentionDays: number, now: number): boolean {
  if (retentionDays <= 0 || recordStatus(record) !== 'active') return false;
  const touched = epochOf(record.updated_at) ?? epochOf(record.created_at);
  return touched !== undefined && now - touched >= daysInMs(retentionDays);
}
