import type { FolderState, IndexChange, IndexedFile, IndexItem } from '../../core/ports/index.ts';
import type { FileRef, RootName, StoredFile } from '../../core/ports/store.ts';
import { roleOf, watchedFolders } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** Up to so many files are all looked at on every search; beyond that a slice at a time, and whatever it is about to show. */
const SWEEP_LIMIT = 64;
const SWEEP_SLICE = 16;
/** A folder changed this recently may change again within the same tick of its clock. */
const UNSETTLED_MS = 1_000;

/** The views no longer say what the files say. */
const STALE = -1;

type Reach = 'journal' | 'sweep' | 'all' | 'everything';

interface Found {
  readonly file: IndexedFile;
  readonly item?: IndexItem;
}

/** Collects what has to change in the index, so that it is written in one step or not at all. */
class Changes {
  readonly put: Found[] = [];
  readonly removed: FileRef[] = [];
  readonly journaled = new Map<string, { readonly place: FileRef; readonly hash: string | undefined }>();
  readonly folders: Parameters<IndexChange['folder']>[0][] = [];
  position: number | undefined;
  clear = false;

  get any(): boolean {
    return this.clear || this.position !== undefined || this.put.length + this.removed.length + this.folders.length > 0;
  }

  write(change: IndexChange): void {
    if (this.clear) change.clear();
    for (const { file, item } of this.put) change.putFile(file, item);
    for (const place of this.removed) change.removeFile(place);
    for (const { place, hash } of this.journaled.values()) change.journaled(place, hash);
    for (const folder of this.folders) change.folder(folder);
    if (this.position !== undefined) change.position(this.position);
    if (this.clear || this.put.length + this.removed.length > 0) change.views({ position: STALE });
  }
}

/**
 * Brings the index up to what the files say. `journal` follows what writers said, `sweep` also looks for files that were
 * added, edited or removed by hand within what a search can afford, `all` looks at every file, `everything` reads them all again. A damaged index is begun again.
 */
export function refresh(memory: Memory, reach: Reach = 'sweep'): Promise<void> {
  return memory.index.guarded(
    () => bringUp(memory, reach),
    () => bringUp(memory, 'everything'),
  );
}

async function bringUp(memory: Memory, reach: Reach): Promise<void> {
  const changes = new Changes();
  const seen = new Set<string>();
  const all = reach === 'everything';
  changes.clear = all;
  await followJournal(memory, changes, seen, all);
  const known = changes.clear ? [] : memory.index.folders();
  leaveRoots(memory, changes, known);
  const looksFurther = reach !== 'journal' && memory.store.isFullyJournaled !== true;
  if (looksFurther || changes.clear) {
    for (const root of memory.store.roots) await visitFolders(memory, root, changes, seen, { known, looksAtAll: reach === 'all' });
  }
  if (looksFurther && reach !== 'everything' && !changes.clear) await sweepFiles(memory, changes, seen, reach === 'all');
  if (changes.any) memory.index.update((change) => changes.write(change));
}

async function followJournal(memory: Memory, changes: Changes, seen: Set<string>, all: boolean): Promise<void> {
  const [position, known] = [await memory.store.journal.position(), memory.index.journalPosition()];
  if (position === known && !all) return;
  if (position < known) changes.clear = true;
  changes.position = position;
  const places = new Map<string, FileRef>();
  for (const { root, path, after } of await memory.store.journal.entries(changes.clear ? 0 : known)) {
    const place = { root, path };
    changes.journaled.set(nameOf(place), { place, hash: after });
    if (!changes.clear && memory.store.roots.includes(root)) places.set(nameOf(place), place);
  }
  const read = await memory.store.readMany?.([...places.values()]);
  const stored = read && new Map(read.map((file) => [nameOf(file), file]));
  for (const [name, place] of places) await visitFile(memory, place, changes, seen, stored && { file: stored.get(name) });
}

/** A root that the memory has no longer, such as the `_memory/` of another branch: the index leaves its files until it comes back. */
function leaveRoots({ store, index }: Memory, changes: Changes, known: readonly FolderState[]): void {
  for (const { root, folder, mtimeMs } of known) {
    if (store.roots.includes(root) || mtimeMs === -1) continue;
    changes.folders.push({ root, folder, mtimeMs: -1 });
    changes.removed.push(...index.states(root, folder).map(({ path }) => ({ root, path })));
  }
}

interface Look {
  /** The folders as they were. */
  readonly known: readonly FolderState[];
  /** Whether every file is looked at anyway. */
  readonly looksAtAll: boolean;
}

async function visitFolders(memory: Memory, root: RootName, changes: Changes, seen: Set<string>, look: Look): Promise<void> {
  const all = changes.clear;
  const known = new Map(look.known.filter((state) => state.root === root).map(({ folder, mtimeMs }) => [folder, mtimeMs]));
  // Where there is no such root there is nothing in it either.
  const top = await memory.store.stat({ root, path: '' });
  for (const folder of watchedFolders(root)) {
    const state = folder === '' || top === undefined ? top : await memory.store.stat({ root, path: folder });
    const mtimeMs = state?.mtimeMs ?? -1;
    if (known.get(folder) === mtimeMs) continue;
    changes.folders.push({ root, folder, mtimeMs: memory.now() - mtimeMs < UNSETTLED_MS ? 0 : mtimeMs });
    const indexed = all ? [] : memory.index.states(root, folder);
    const paths = new Set(indexed.map(({ path }) => path));
    for (const name of await memory.store.list(root, folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!paths.has(path) && roleOf({ root, path }).role !== 'other') await visitFile(memory, { root, path }, changes, seen);
    }
    // Most editors save by renaming, which shows in the folder's time: every file in it may be another one now.
    if (!look.looksAtAll) for (const file of await memory.store.changed(indexed)) await visitFile(memory, file, changes, seen);
  }
}

async function sweepFiles(memory: Memory, changes: Changes, seen: Set<string>, whole: boolean): Promise<void> {
  const files = whole || memory.index.fileCount() <= SWEEP_LIMIT ? memory.index.states() : memory.index.filesFrom(startAt(memory.now()), SWEEP_SLICE);
  const there = files.filter(({ root }) => memory.store.roots.includes(root));
  for (const file of await memory.store.changed(there)) await visitFile(memory, file, changes, seen);
}

/** Reads one file and notes what the index has to learn. */
async function visitFile(
  memory: Memory,
  place: FileRef,
  changes: Changes,
  seen: Set<string>,
  known?: { readonly file: StoredFile | undefined },
): Promise<void> {
  const name = nameOf(place);
  if (seen.has(name)) return;
  seen.add(name);
  const found = await itemIn(memory, place, known ? known.file : await memory.store.read({ root: place.root, path: place.path }));
  if (found) changes.put.push(found);
  else changes.removed.push({ root: place.root, path: place.path });
}

async function itemIn(memory: Memory, place: FileRef, stored: StoredFile | undefined): Promise<Found | undefined> {
  if (!stored || roleOf(place).role === 'other') return undefined;
  const { root, path, mtimeMs, size, hash } = stored;
  const item = await memory.itemOf(stored);
  if (!item.ok) return { file: { root, path, mtimeMs, size, hash, problem: item.error.message } };
  return { file: { root, path, mtimeMs, size, hash }, ...(item.value && { item: item.value }) };
}

const nameOf = ({ root, path }: FileRef): string => `${root}:${path}`;

/** Looks again at the files behind hits before they are shown; true when one had changed. */
export async function verifyFiles(memory: Memory, places: readonly FileRef[]): Promise<boolean> {
  const changes = new Changes();
  const seen = new Set<string>();
  const known = places.flatMap((place) => memory.index.file(place) ?? []);
  for (const file of await memory.store.changed(known)) await visitFile(memory, file, changes, seen);
  if (changes.any) memory.index.update((change) => changes.write(change));
  return changes.any;
}

/** Where a sweep starts among the hashes: the clock picks it, in steps that leave no part out for long, and nothing has to be written down. */
function startAt(now: number): string {
  const GOLDEN = 0.618_033_988_749_895;
  return Math.floor(((Math.floor(now / 1_000) * GOLDEN) % 1) * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
