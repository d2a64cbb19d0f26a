import { daysInMs, epochOf } from '../../core/instant.ts';
import { gcVerdict, type GcRules, isExpired, RETENTION_REASON } from '../../core/lifecycle/window.ts';
import { archived } from '../../core/lifecycle/status.ts';
import type { JournalEntry, FileRef, RootName } from '../../core/ports/store.ts';
import type { FileWithText } from '../../core/ports/text-sweep.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { refresh } from '../index/refresh.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from './current.ts';
import { forgetForGood, muteSentencesOf } from './forget.ts';
import { moveWithin } from './status.ts';
import { journalName, writing, type Author, type Writing } from './transaction.ts';

export interface GcReport {
  readonly deleted: readonly string[];
  readonly archived: readonly string[];
  /** Retired because their category keeps records only so many days. */
  readonly expired: readonly string[];
  /** Retired records without a usable date; not changed. */
  readonly skipped: readonly string[];
  /** Unreadable record files; not changed, because their status is unknown. */
  readonly unreadable: readonly string[];
  /** Versions deleted for good, of records that were purged a grace period ago. */
  readonly forgotten: number;
  /** Files that still hold text of the records that were deleted for good. */
  readonly left: readonly FileWithText[];
  readonly graceDays: number;
  readonly dryRun: boolean;
}

export interface GcOptions {
  readonly dryRun?: boolean;
  readonly root?: RootName;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Purges records whose grace period is over. A purge can be undone for one more grace period; then the record is deleted for good. */
export async function collectGarbage(memory: Memory, author: Author, options: GcOptions = {}): Promise<GcReport> {
  if (options.dryRun) {
    await refresh(memory, 'sweep');
    return collect(memory, undefined, options);
  }
  const report = await writing(memory, author, (write) => collect(memory, write, options));
  const purged = await expiredPurges(memory, report.graceDays);
  if (purged.length === 0) return report;
  const { versions, left } = await forgetForGood(memory, purged, { actor: author.actor });
  return { ...report, forgotten: versions, left };
}

/** Archives session summaries by default, every category if the user set so. */
const archiveRule = ({ config }: Memory): GcRules['archives'] =>
  !config.get('delete.archive_retired') ? 'none' : config.source('delete.archive_retired') === 'default' ? 'summaries' : 'all';

async function collect(memory: Memory, write: Writing | undefined, { root }: GcOptions): Promise<GcReport> {
  const rules = { graceDays: memory.config.get('delete.grace_period_days'), archives: archiveRule(memory) };
  const report = {
    deleted: [] as string[],
    archived: [] as string[],
    expired: [] as string[],
    skipped: [] as string[],
    unreadable: unreadableIn(memory, root),
  };
  const inRoot = root === undefined ? {} : { root };
  for (const item of memory.index.items({ kind: 'record', status: 'retired', ...inRoot })) {
    const current = await currentRecord(memory, item);
    if (!current.ok) {
      report.unreadable.push(item.path);
      continue;
    }
    const { record, asWritten, layout } = current.value;
    const place = { root: item.root, path: item.path };
    const verdict = gcVerdict(record, rules, memory.now());
    if (verdict === 'undated') report.skipped.push(baseName(item.path));
    if (verdict === 'purge') {
      report.deleted.push(baseName(item.path));
      if (write) await muteSentencesOf(memory, record);
      await write?.apply({ ...place, op: 'purge', ...journalName(record) });
    }
    if (verdict === 'archive') {
      report.archived.push(baseName(item.path));
      const archivedRecord = archived(asWritten, 'Kept by gc instead of being purged', memory.now()).record;
      await write?.apply({ ...place, text: renderRecordFile(item.path, archivedRecord, layout), op: 'archive', ...journalName(record) });
    }
  }
  for (const item of memory.index.items({ kind: 'record', status: 'active', ...inRoot })) await expire(memory, write, item, report.expired);
  const forgotten = write === undefined ? (await expiredPurges(memory, rules.graceDays)).length : 0;
  return { ...report, forgotten, left: [], graceDays: rules.graceDays, dryRun: write === undefined };
}

const unreadableIn = ({ index }: Memory, root: RootName | undefined): string[] =>
  index
    .problems()
    .filter((file) => (root === undefined || file.root === root) && roleOf(file).role === 'record')
    .map(({ path }) => path);

async function expire(memory: Memory, write: Writing | undefined, item: ItemFacts, expired: string[]): Promise<void> {
  const days = item.category === undefined ? 0 : memory.config.get(`categories.${item.category}.retention_days`);
  if (days <= 0) return;
  const current = await currentRecord(memory, item);
  if (!current.ok || !isExpired(current.value.record, days, memory.now())) return;
  expired.push(baseName(item.path));
  if (write) await moveWithin(memory, write, 'retire', { root: item.root, path: item.path }, RETENTION_REASON);
}

/** Files whose last change was a purge before the grace period. */
async function expiredPurges(memory: Memory, graceDays: number): Promise<readonly FileRef[]> {
  const lastOf = new Map<string, JournalEntry>();
  for (const entry of await memory.store.journal.entries()) lastOf.set(`${entry.root}:${entry.path}`, entry);
  return [...lastOf.values()]
    .filter(({ op, at }) => op === 'purge' && memory.now() - (epochOf(at) ?? 0) >= daysInMs(graceDays))
    .map(({ root, path }) => ({ root, path }));
}
