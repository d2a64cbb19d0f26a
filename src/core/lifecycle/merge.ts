import { sameValue } from '../value.ts';
import { utcSeconds } from '../instant.ts';
import { validate, type Draft } from '../record/draft.ts';
import { realTags } from '../record/labels.ts';
import { repair } from '../record/repair.ts';
import { TAG_CAP, type Change, type MemoryRecord } from '../record/schema.ts';
import { err, ok, refuse, type Refusal, type Result } from '../result.ts';
import { capChanges, recordStatus } from './status.ts';

export interface MergedRecord {
  readonly record: MemoryRecord;
  readonly warnings: readonly string[];
}

/** Fields an update cannot touch: they are the record's identity and its lifecycle, or others' to decide. */
const FIXED_FIELDS = [
  'created_at',
  'schema_version',
  'category',
  'id',
  'record_status',
  'retired_at',
  'retired_reason',
  'archived_at',
  'archived_reason',
  'trust',
  'origin',
  'scope',
] as const;

const isScalar = (value: unknown): boolean => value === undefined || value === null || typeof value !== 'object';

function merge(rule: string, field: string, message: string, hint: string): { readonly ok: false; readonly error: Refusal } {
  return refuse('MERGE_ERROR', message, { fields: [field], rule, hint });
}

function tagChanges(old: readonly string[], next: readonly string[], date: string): Result<Change[]> {
  const removed = old.filter((tag) => !next.includes(tag));
  const added = next.filter((tag) => !old.includes(tag));
  if (removed.length === 0) return ok([]);
  const list = removed.join(', ');
  if (old.length < TAG_CAP)
    return merge(`grow-only (below cap of ${TAG_CAP})`, 'tags', `tags only grow below ${TAG_CAP}; missing: ${list}`, 'keep the old tags');
  if (added.length === 0)
    return merge('no net shrink without addition', 'tags', `tags at the cap make room only for new ones; missing: ${list}`, 'keep the old tags');
  return ok([
    { date, summary: `Tags at the cap: ${list} made room for ${added.join(', ')}`.slice(0, 300), field: 'tags', old_value: removed, new_value: added },
  ]);
}

function checkFiles(old: readonly string[], next: readonly string[], exists: (path: string) => boolean): Result<true> {
  const lost = old.find((path) => !next.includes(path) && exists(path));
  if (lost === undefined) return ok(true);
  return merge(
    'grow-only (cannot remove existing file reference)',
    'related_files',
    `related_files still has to name ${lost}, which exists`,
    'only files that are gone can be dropped',
  );
}

function contentChanges(old: MemoryRecord, next: MemoryRecord, date: string): { changes: Change[]; warnings: string[] } {
  const before = old.content as Readonly<Record<string, unknown>>;
  const after = next.content as Readonly<Record<string, unknown>>;
  const changes: Change[] = [];
  const warnings: string[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (sameValue(was, is)) continue;
    if (isScalar(was) && isScalar(is))
      changes.push({ date, summary: `content.${key} changed`, field: `content.${key}`, old_value: was ?? null, new_value: is ?? null });
    if (Array.isArray(was) && Array.isArray(is) && is.length < was.length) warnings.push(`content.${key} went from ${was.length} to ${is.length} items`);
  }
  return { changes, warnings };
}

/** The record after an update, or the protection that forbids it. `statedAt` is when the change was said, which may be long before it is written. */
export function mergeUpdate(old: MemoryRecord, draft: Draft, now: number, exists: (path: string) => boolean, statedAt = now): Result<MergedRecord> {
  const date = utcSeconds(statedAt);
  const uncut = Array.isArray(draft['changes']) ? (draft['changes'] as readonly Change[]) : [];
  const candidate: Record<string, unknown> = { ...repair(draft, old.category, now) };
  for (const field of FIXED_FIELDS) {
    delete candidate[field];
    if (old[field] !== undefined) candidate[field] = old[field];
  }
  candidate['record_status'] = recordStatus(old);
  const checked = validate(old.category, candidate);
  if (!checked.ok) return checked;
  const next = checked.value;

  const tags = tagChanges(realTags(old.tags), realTags(next.tags), date);
  if (!tags.ok) return tags;
  const files = checkFiles(old.related_files ?? [], next.related_files ?? [], exists);
  if (!files.ok) return files;

  const oldChanges = old.changes ?? [];
  if (!sameValue(uncut.slice(0, oldChanges.length), oldChanges)) {
    return merge('append-only', 'changes', 'changes is append-only: its old entries must stay as they are', 'hand in all old changes and add one at the end');
  }
  const content = contentChanges(old, next, date);
  const recorded = new Set(uncut.slice(oldChanges.length).map((change) => change.field));
  const all = [...uncut, ...tags.value, ...content.changes.filter((change) => !recorded.has(change.field))];
  if (all.length <= oldChanges.length) {
    return merge(
      'append-only (new entry required)',
      'changes',
      'an update needs at least one new entry in changes',
      'add { "date", "summary" } saying what changed',
    );
  }
  const record = { ...next, changes: capChanges(all), times_updated: (old.times_updated ?? 0) + 1, updated_at: utcSeconds(now) } as MemoryRecord;
  const final = validate(old.category, record);
  return final.ok ? ok({ record: final.value, warnings: content.warnings }) : err(final.error);
}
