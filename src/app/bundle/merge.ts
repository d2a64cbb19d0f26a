import type { FileRef } from '../../core/ports/store.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redact } from '../../core/redact/text.ts';
import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { parseRecordFile, renderRecordFile } from '../../render/record-file.ts';
import { catchUp } from '../index/catch-up.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { journalName, writing, type Author, type Writing } from '../write/transaction.ts';
import type { BundledFile } from './manifest.ts';
import { versionsOf, versionsPlace, withVersions } from './versions.ts';

/** One file of a bundle that was checked and may be written. */
export interface IncomingFile {
  readonly place: FileRef;
  readonly text: string;
  readonly versions: readonly string[];
  /** Absent for a document. */
  readonly record?: MemoryRecord;
}

export interface BundleMerge {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: readonly string[];
  /** Not imported: the local version is newer, or the file was removed here. */
  readonly kept: readonly string[];
  /** Changed on both sides: the local version stays, and the imported one is saved beside it. */
  readonly conflicts: readonly { readonly ours: string; readonly theirs: string }[];
  readonly redactions: number;
}

/** Characters and names that some system does not accept in a file name. */
const UNSAFE = /[\\:*?"<>|\u0000-\u001f\u007f]/;

/** Checks all files of a bundle; writes nothing. */
export async function checkIncoming(
  memory: Memory,
  files: readonly BundledFile[],
  texts: ReadonlyMap<string, string>,
): Promise<Result<readonly IncomingFile[]>> {
  const incoming: IncomingFile[] = [];
  const seenPaths = new Set<string>();
  for (const { name, root, path, versions } of files) {
    if (UNSAFE.test(path))
      return refuse('PATH_ERROR', `${JSON.stringify(path)} is not a file name that every system accepts.`, { hint: 'nothing was imported' });
    const located = await memory.store.locate(root, path);
    if (!located.ok) return located;
    if (located.value.path !== path || seenPaths.has(`${root}:${path.toLowerCase()}`)) return refuse('PATH_ERROR', `${name} names no file of its own.`);
    seenPaths.add(`${root}:${path.toLowerCase()}`);
    const role = roleOf(located.value);
    if (role.role === 'other') return refuse('PATH_ERROR', `${name} is neither a record nor a document.`, { hint: 'nothing was imported' });
    const { text } = redact(texts.get(name) ?? '');
    if (role.role === 'document') {
      incoming.push({ place: located.value, text, versions });
      continue;
    }
    const parsed = parseRecordFile(path, text, { category: role.category, id: idOfStem(role.category, stemOf(path)), time: utcSeconds(memory.now()) });
    if (!parsed.ok) return refuse('VALIDATION_ERROR', `${name}: ${parsed.error.message}`, { hint: 'nothing was imported' });
    incoming.push({ place: located.value, text, versions, record: parsed.value.record });
  }
  return ok(incoming);
}

/** Merges the files of a bundle into a memory as one action. Versions decide which file is newer, never clocks. `removed` says whether files that were removed here come back. */
export async function mergeBundle(
  memory: Memory,
  incoming: readonly IncomingFile[],
  author: Author,
  removed: 'stays' | 'again' = 'stays',
): Promise<BundleMerge> {
  await catchUp(memory);
  const known = await versionsOf(memory);
  const merged = {
    created: [] as string[],
    updated: [] as string[],
    unchanged: [] as string[],
    kept: [] as string[],
    conflicts: [] as BundleMerge['conflicts'][number][],
  };
  await writing(memory, author, async (write) => {
    for (const file of incoming) {
      const { place, text, versions, record } = file;
      const current = await memory.store.read(place);
      const [ours, theirs] = [current?.hash, memory.md5(text)];
      const entryName = record ? journalName(record) : { id: place.path.replace(/\.md$/, '') };
      if (ours === theirs) merged.unchanged.push(place.path);
      else if (known(place).includes(theirs) && (removed === 'stays' || ours !== undefined)) merged.kept.push(place.path);
      else if (ours === undefined ? !hasNamesake(memory, file) : versions.includes(ours)) {
        await write.apply({ ...place, text, op: ours === undefined ? 'create' : 'update', ...entryName });
        merged[ours === undefined ? 'created' : 'updated'].push(place.path);
      } else merged.conflicts.push({ ours: place.path, theirs: await putBeside(memory, write, file) });
    }
  });
  const fresh = incoming.map(({ place, versions }) => ({ ...place, versions }));
  const text = await withVersions(memory, fresh);
  await memory.store.write(author.actor, (session) => session.view(versionsPlace(memory), text));
  return { ...merged, redactions: incoming.filter(({ text: clean, versions }) => versions.at(-1) !== memory.md5(clean)).length };
}

/** Whether another file has the same id, as when two machines save the same title on different days. */
const hasNamesake = (memory: Memory, { place, record }: IncomingFile): boolean =>
  record !== undefined && memory.index.byId(record.id).some((item) => item.category === record.category && item.path !== place.path);

/** Saves the imported version under a fixed name, so that a second import finds it. */
async function putBeside(memory: Memory, write: Writing, { place, text, record }: IncomingFile): Promise<string> {
  const dot = place.path.lastIndexOf('.');
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '-imported' : `-imported-${number}`;
    const path = `${place.path.slice(0, dot)}${suffix}${place.path.slice(dot)}`;
    const renamed = record && ({ ...record, id: `${record.id.slice(0, 80 - suffix.length)}${suffix}` } as MemoryRecord);
    const next = renamed ? renderRecordFile(path, renamed) : text;
    const there = await memory.store.read({ root: place.root, path });
    if (there?.text === next) return path;
    if (there) continue;
    await write.apply({ root: place.root, path, text: next, op: 'create', ...(renamed ? journalName(renamed) : { id: path.replace(/\.md$/, '') }) });
    return path;
  }
}
