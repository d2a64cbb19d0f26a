import { utcSeconds } from '../../core/instant.ts';
import type { FileRef, JournalEntry, Operation, RootName, StoredFile } from '../../core/ports/store.ts';
import type { Draft } from '../../core/record/draft.ts';
import { TAG_CAP, type MemoryRecord } from '../../core/record/schema.ts';
import { isAutomatic } from '../../core/trust/trust.ts';
import { sameValue } from '../../core/value.ts';
import type { Memory } from '../memory/memory.ts';

/** Operations that do not change a record's text. */
const STATUS_ONLY: ReadonlySet<Operation> = new Set<Operation>(['retire', 'restore', 'archive', 'unarchive', 'share']);

/** The writes of a file under all names that it had, oldest first. */
async function writesOf(memory: Memory, { root, path }: FileRef): Promise<readonly JournalEntry[]> {
  const entries = (await memory.store.journal.entries()).filter((entry) => entry.root === root);
  const names = new Set([path]);
  for (const entry of entries.toReversed()) if (entry.from !== undefined && names.has(entry.path)) names.add(entry.from);
  return entries.filter((entry) => names.has(entry.path));
}

/**
 * Whether a person, or an agent at their request, wrote some of a file's text: automatic writes then no longer replace it. A file that the journal does not
 * know was written by hand or came with the repository.
 */
export async function holdsUserText(memory: Memory, file: Pick<StoredFile, 'root' | 'path' | 'hash'>): Promise<boolean> {
  const writes = await writesOf(memory, file);
  return writes.at(-1)?.after !== file.hash || writes.some(({ actor, op }) => !isAutomatic(actor) && !STATUS_ONLY.has(op));
}

/** The files of a root that hold user text: by their journal entries, or because the journal does not know their current content. */
export async function filesWithUserText(memory: Memory, root: RootName): Promise<ReadonlySet<string>> {
  const files = new Set(
    memory.index
      .unjournaled()
      .filter((file) => file.root === root)
      .map(({ path }) => path),
  );
  for (const { path, actor, op, from, ...entry } of await memory.store.journal.entries()) {
    if (entry.root !== root || STATUS_ONLY.has(op)) continue;
    if (!isAutomatic(actor) || (from !== undefined && files.has(from))) files.add(path);
  }
  return files;
}

/** Whether the last write of a document was a person's edit, not text that a command generated. */
export async function isEditedByUser(memory: Memory, place: FileRef, generatedReason: string): Promise<boolean> {
  const file = await memory.store.read(place);
  const last = (await writesOf(memory, place)).at(-1);
  return file !== undefined && (last?.after !== file.hash || (!isAutomatic(last.actor) && last.reason !== generatedReason));
}

const ADDED_SUFFIX = ' (added automatically)';
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The label of tracking points that were added to a user's summary. */
export const ADDED_LABEL = 'Added automatically';

const isAddedPoint = (item: unknown): boolean => item !== null && typeof item === 'object' && 'label' in item && item.label === ADDED_LABEL;

/** The new items of a list, marked as added; items that cannot be marked are left out. */
function newMarkedItems(old: unknown, next: unknown): readonly unknown[] {
  const known = listOf(old);
  return listOf(next)
    .filter(
      (item) => (typeof item === 'string' || isAddedPoint(item)) && !known.some((one) => sameValue(one, item) || one === `${String(item)}${ADDED_SUFFIX}`),
    )
    .map((item) => (typeof item === 'string' ? `${item}${ADDED_SUFFIX}` : item));
}

/** The part of an automatic update that user text allows: marked additions to lists. Undefined if there are none or the record is confirmed. */
export function additionsOnly(old: MemoryRecord, next: Draft, now: number): Draft | undefined {
  if (old.trust === 'confirmed') return undefined;
  const before = old.content as Readonly<Record<string, unknown>>;
  const after = (next['content'] ?? {}) as Readonly<Record<string, unknown>>;
  // Only add later work to a summary: what the user left out stays out.
  const keys = old.category === 'session_summary' ? ['tracking_points'] : Object.keys(before).filter((key) => Array.isArray(before[key]));
  const lists = keys.flatMap((key): [string, readonly unknown[]][] => {
    const more = newMarkedItems(before[key], after[key]);
    return more.length === 0 ? [] : [[key, [...listOf(before[key]), ...more]]];
  });
  if (lists.length === 0) return undefined;
  const files = listOf(next['related_files']).filter((file): file is string => typeof file === 'string');
  return {
    ...old,
    tags: old.tags.slice(0, Math.max(TAG_CAP, old.tags.length)),
    related_files: [...new Set([...(old.related_files ?? []), ...files])],
    content: { ...before, ...Object.fromEntries(lists) },
    changes: [...(old.changes ?? []), { date: utcSeconds(now), summary: `Added automatically: ${lists.map(([key]) => key).join(', ')}` }],
  };
}
