import { isObject, sameValue } from '../value.ts';
import { lowerTrust } from '../trust/trust.ts';
import { epochOf } from '../instant.ts';
import { TAG_CAP, type Change, type MemoryRecord } from '../record/schema.ts';
import { capChanges, recordStatus } from './status.ts';

export type Side = 'ours' | 'theirs';

/** A field that both sides changed, each to something else. */
export interface FieldConflict {
  readonly field: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface MergedVersions {
  /** Has the preferred side's value for each conflict. */
  readonly record: MemoryRecord;
  readonly conflicts: readonly FieldConflict[];
}

type Fields = Readonly<Record<string, unknown>>;
type Values = readonly unknown[];

const LISTS = ['tags', 'related_files', 'applies_to', 'supersedes'];
const LIFE = ['retired_at', 'retired_reason', 'archived_at', 'archived_reason'];
const FROM_LATER = ['confidence', 'origin', 'evidence', 'scope', ...LIFE];
/** Fields with a rule of their own, or equal in both versions of one record. */
const OWN_RULE = new Set(['content', 'id', 'changes', 'times_updated', 'updated_at', 'record_status', 'trust', ...LISTS, ...FROM_LATER]);

const has = (list: Values, value: unknown): boolean => list.some((other) => sameValue(other, value));
const isList = (value: unknown): value is Values => Array.isArray(value);

/** Whether two versions belong to one record: category and creation time never change. */
export const isSameRecord = (a: MemoryRecord, b: MemoryRecord): boolean => a.category === b.category && a.created_at === b.created_at;

/** The items of both sides, without those that one side removed. */
const union = (ours: Values, theirs: Values, base: Values = []): Values => [
  ...ours.filter((item) => has(theirs, item) || !has(base, item)),
  ...theirs.filter((item) => !has(ours, item) && !has(base, item)),
];

/** The changes that only one of two versions lists. */
const ownChanges = (record: MemoryRecord, other: MemoryRecord): readonly Change[] =>
  (record.changes ?? []).filter((change) => !has(other.changes ?? [], change));

/**
 * Merges two versions of one record field by field: lists are joined, and a value that one side changed wins.
 * Without the common version, a record's own `changes` show which side changed a field.
 */
export function mergeVersions(ours: MemoryRecord, theirs: MemoryRecord, base?: MemoryRecord, prefer: Side = 'ours'): MergedVersions {
  const conflicts: FieldConflict[] = [];
  const own = { ours: ownChanges(ours, theirs), theirs: ownChanges(theirs, ours) };
  const later = (epochOf(theirs.updated_at) ?? 0) > (epochOf(ours.updated_at) ?? 0) ? theirs : ours;

  const conflict = (field: string, a: unknown, b: unknown): unknown => {
    conflicts.push({ field, ours: a, theirs: b });
    return prefer === 'ours' ? a : b;
  };
  const pick = (field: string, a: unknown, b: unknown, was: unknown): unknown => {
    if (sameValue(a, b)) return a;
    const changed = (side: Side, value: unknown): boolean => (base ? !sameValue(value, was) : own[side].some((change) => change.field === field));
    const [ourChange, theirChange] = [changed('ours', a), changed('theirs', b)];
    return ourChange === theirChange ? conflict(field, a, b) : ourChange ? a : b;
  };
  const join = (field: string, a: unknown, b: unknown, was: unknown): unknown => {
    if (isList(a ?? []) && isList(b ?? []) && (a ?? b) !== undefined && (a ?? b) !== null) {
      const joined = union((a ?? []) as Values, (b ?? []) as Values, isList(was) ? was : []);
      return field === 'tags' && joined.length > TAG_CAP ? conflict(field, a, b) : joined;
    }
    if (isObject(a) && isObject(b)) return joinAll(`${field}.`, a, b, isObject(was) ? was : {});
    return pick(field, a, b, was);
  };
  const joinAll = (prefix: string, a: Fields, b: Fields, was: Fields): Fields =>
    Object.fromEntries(
      [...new Set([...Object.keys(a), ...Object.keys(b)])]
        .map((key) => [key, sameValue(a[key], b[key]) ? a[key] : join(prefix + key, a[key], b[key], was[key])] as const)
        .filter(([, value]) => value !== undefined),
    );

  const [a, b, was] = [ours, theirs, base ?? {}] as unknown as readonly [Fields, Fields, Fields];
  const record: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (key === 'content' || LISTS.includes(key)) record[key] = sameValue(a[key], b[key]) ? a[key] : join(key, a[key], b[key], was[key]);
    else if (!OWN_RULE.has(key)) record[key] = pick(key, a[key], b[key], was[key]);
    else if (FROM_LATER.includes(key) && !LIFE.includes(key)) record[key] = (later as unknown as Fields)[key] ?? a[key] ?? b[key];
  }
  const status = pick('record_status', recordStatus(ours), recordStatus(theirs), base && recordStatus(base));
  const statusSource = recordStatus(ours) === recordStatus(theirs) ? later : status === recordStatus(ours) ? ours : theirs;
  for (const key of LIFE) record[key] = (statusSource as unknown as Fields)[key];
  const times = [ours.times_updated ?? 0, theirs.times_updated ?? 0] as const;
  const merged = {
    ...record,
    id: ours.id,
    record_status: status,
    updated_at: later.updated_at,
    ...((ours.trust ?? theirs.trust) !== undefined && { trust: lowerTrust(ours.trust, theirs.trust) }),
    ...(times[0] + times[1] > 0 && { times_updated: base ? times[0] + times[1] - (base.times_updated ?? 0) : Math.max(...times) }),
    changes: changesOf(ours, own.theirs, conflicts, prefer, later.updated_at),
  };
  const present = Object.entries(merged).filter(([key, value]) => value !== undefined && value !== null && !(key === 'changes' && merged.changes.length === 0));
  return { record: Object.fromEntries(present) as unknown as MemoryRecord, conflicts };
}

/** The changes of both versions, and for each conflict the value that lost. */
function changesOf(ours: MemoryRecord, theirs: readonly Change[], conflicts: readonly FieldConflict[], prefer: Side, date: string): readonly Change[] {
  const settled = conflicts.map(({ field, ...sides }) => ({
    date,
    summary: `${field} differed on two branches`.slice(0, 300),
    field,
    old_value: (prefer === 'ours' ? sides.theirs : sides.ours) ?? null,
    new_value: sides[prefer] ?? null,
  }));
  const all = [...(ours.changes ?? []), ...theirs].toSorted((x, y) => (epochOf(x.date) ?? 0) - (epochOf(y.date) ?? 0));
  return capChanges([...all, ...settled]);
}
