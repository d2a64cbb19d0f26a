import { isSameRecord, mergeVersions, type FieldConflict, type Side } from '../../core/lifecycle/merge-versions.ts';
import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import { idOfStem } from '../../core/project/filename.ts';
import { uniqueSlug } from '../../core/project/slug.ts';
import type { Category } from '../../core/record/category.ts';
import { hasConflictMarkers, versionsIn, withoutMarkers, type Versions } from '../../core/record/conflict-markers.ts';
import { validate } from '../../core/record/draft.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redact } from '../../core/redact/text.ts';
import { refuse, ok, type Result } from '../../core/result.ts';
import { renderRecordFile, extrasOf } from '../../render/record-file.ts';
import type { ParsedRecord } from '../../render/record.ts';
import { parseStored } from '../index/item.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { hasSameContent } from './current.ts';
import { journalName, writing, type Author, type Writing } from './transaction.ts';

/** A file that git could not merge, with the fields that a person has to decide. */
export interface UnmergedFile {
  readonly place: FileRef;
  readonly file: string;
  readonly conflicts: readonly FieldConflict[];
  /** Why the two versions cannot be separated, if they cannot. */
  readonly broken?: string;
}

export interface MergeReport {
  readonly merged: readonly { readonly place: FileRef; readonly file: string; readonly settled: readonly string[]; readonly beside?: string }[];
  readonly open: readonly UnmergedFile[];
}

/** The merged text of a file, and a second record if two people gave two records the same name. */
interface MergeOutcome {
  readonly text: string;
  /** Set if the text merges two versions of one record. */
  readonly isOneRecord?: true;
  readonly record?: MemoryRecord;
  readonly second?: MemoryRecord;
  readonly conflicts: readonly FieldConflict[];
}

const UNPAIRED_MARKERS = 'the conflict markers do not pair up';

/** The files with conflict markers, in every root. */
export async function unmergedFiles(memory: Memory): Promise<readonly UnmergedFile[]> {
  const files: UnmergedFile[] = [];
  for (const file of await filesWithMarkers(memory)) {
    const outcome = outcomeOf(file, 'ours');
    files.push({ ...placeAndFile(memory, file), ...(outcome.ok ? { conflicts: outcome.value.conflicts } : { conflicts: [], broken: outcome.error.message }) });
  }
  return files;
}

const placeAndFile = (memory: Memory, { root, path }: FileRef): { readonly place: FileRef; readonly file: string } => ({
  place: { root, path },
  file: memory.store.absolute({ root, path }),
});

async function filesWithMarkers(memory: Memory): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for (const { root, path } of memory.index.problems()) {
    const file = await memory.store.read({ root, path });
    if (file && hasConflictMarkers(file.text)) files.push(file);
  }
  return files;
}

/** Merges the files that git could not. Files in which both sides changed the same field stay open, unless a side is preferred. */
export function mergeConflicts(memory: Memory, author: Author, prefer?: Side, only?: FileRef): Promise<MergeReport> {
  return writing(memory, author, async (write) => {
    const merged: MergeReport['merged'][number][] = [];
    const open: UnmergedFile[] = [];
    for (const file of await filesWithMarkers(memory)) {
      if (only && (file.root !== only.root || file.path !== only.path)) continue;
      const outcome = outcomeOf(file, prefer ?? 'ours');
      const facts = placeAndFile(memory, file);
      if (!outcome.ok) open.push({ ...facts, conflicts: [], broken: outcome.error.message });
      else if (outcome.value.conflicts.length > 0 && prefer === undefined) open.push({ ...facts, conflicts: outcome.value.conflicts });
      else {
        const beside = await writeMerge(memory, write, file, outcome.value);
        merged.push({ ...facts, settled: outcome.value.conflicts.map(({ field }) => field), ...(beside !== undefined && { beside }) });
      }
    }
    return { merged, open };
  });
}

async function writeMerge(memory: Memory, write: Writing, { root, path }: StoredFile, { text, record, second }: MergeOutcome): Promise<string | undefined> {
  const reason = 'merged two branches';
  await write.apply({ root, path, text: redact(text).text, op: 'update', reason, ...(record ? journalName(record) : { id: path.replace(/\.md$/, '') }) });
  if (!second) return undefined;
  const beside = await freeNameBeside(memory, { root, path }, second, record?.id);
  await write.apply({
    root,
    path: beside.path,
    text: redact(renderRecordFile(beside.path, beside.record)).text,
    op: 'create',
    reason,
    ...journalName(beside.record),
  });
  return memory.store.absolute({ root, path: beside.path });
}

/** A free name for a record whose id, `taken`, belongs to another record. */
export async function freeNameBeside(
  memory: Memory,
  { root, path }: FileRef,
  second: MemoryRecord,
  takenId: string | undefined,
): Promise<{ readonly path: string; readonly record: MemoryRecord }> {
  const isTaken = (slug: string): boolean => slug === takenId || memory.index.byId(slug).some(({ category }) => category === second.category);
  const names = new Set((await memory.store.list(root, path.slice(0, path.lastIndexOf('/')))).map(stemOf));
  const stem = stemOf(path);
  const stemWith = (slug: string): string => (stem.endsWith(second.id) ? stem.slice(0, -second.id.length) + slug : slug);
  const id = uniqueSlug(second.id, { has: (slug) => isTaken(slug) || names.has(stemWith(slug)) });
  return { path: `${path.slice(0, path.lastIndexOf('/') + 1)}${stemWith(id)}${path.slice(path.lastIndexOf('.'))}`, record: { ...second, id } };
}

function outcomeOf(file: StoredFile, prefer: Side): Result<MergeOutcome> {
  const versions = versionsIn(file.text);
  if (!versions) return refuse('READ_ERROR', UNPAIRED_MARKERS);
  const role = roleOf(file);
  return ok((role.role === 'record' ? mergeRecordTexts(file, versions, role.category, prefer) : undefined) ?? textOutcome(versions, prefer));
}

/** If a version is not a readable record, or the file is a document, a person chooses one of the whole texts. */
const textOutcome = ({ ours, theirs }: Versions, prefer: Side): MergeOutcome => ({
  text: withoutMarkers(prefer === 'ours' ? ours : theirs),
  conflicts: ours === theirs ? [] : [{ field: 'text', ours, theirs }],
});

/** Merges two versions of a record's file; undefined if one is unreadable or the result is no valid record. */
export function mergeRecordTexts(file: StoredFile, versions: Versions, category: Category, prefer: Side): MergeOutcome | undefined {
  const read = (text: string | undefined): ParsedRecord | undefined => {
    const parsed = text === undefined ? undefined : parseStored({ ...file, text }, category);
    return parsed?.ok ? parsed.value : undefined;
  };
  const [ours, theirs, base] = [read(versions.ours), read(versions.theirs), read(versions.base)];
  if (!ours || !theirs) return undefined;
  const id = idOfStem(category, stemOf(file.path));
  if (!isSameRecord(ours.record, theirs.record)) {
    const isSame = hasSameContent(ours.record, theirs.record);
    return { text: versions.ours, record: ours.record, conflicts: [], ...(!isSame && { second: theirs.record }) };
  }
  const { record, conflicts } = mergeVersions(ours.record, theirs.record, base?.record, prefer);
  const checked = validate(category, { ...record, id });
  if (!checked.ok) return undefined;
  // Text outside the fields was written by a person: keep the version that has more of it.
  const [left, right] = [extrasOf(ours.layout), extrasOf(theirs.layout)];
  const hasMore = (some: readonly string[], all: readonly string[]): boolean => some.some((text) => !all.includes(text));
  const differ = hasMore(left, right) && hasMore(right, left);
  const { layout } = differ ? (prefer === 'ours' ? ours : theirs) : hasMore(right, left) ? theirs : ours;
  return {
    text: renderRecordFile(file.path, checked.value, layout),
    isOneRecord: true,
    record: checked.value,
    conflicts: differ ? [...conflicts, { field: 'other text', ours: left.join('\n'), theirs: right.join('\n') }] : conflicts,
  };
}
