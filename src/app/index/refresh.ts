import type { FolderState, IndexChange, IndexedFile, IndexItem } from '../../core/ports/index.ts';
import type { FileRef, RootName, StoredFile } from '../../core/ports/store.ts';
import { roleOf, watchedFolders } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** Up to so many files are all looked at on every search; beyond that a slice at a time, and whatever it is about to show. */
const SWEEP_LIMIT = 64;
const SWEEP_SLICE = 16;
/** A folder changed this recently may change again within the same tick of its clock. */
const UNSETTLED_MS = 1_000;

/** The views are out of date with the files. */
const STALE = -1;

type RefreshScope = 'journal' | 'sweep' | 'all' | 'everything';

interface Found {
  readonly file: IndexedFile;
  readonly item?: IndexItem;
}

/** Collects what has to change in the index, so that it is written in one step or not at all. */
class Changes {
  /** Files that were read for this. */
  readonly seen = new Set<string>();
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
 * Brings the index up to date with the files. `journal` follows the writers' journal, `sweep` also looks for manual edits within the time that a search
 * can afford, `all` looks at every file, `everything` reads every file again. A damaged index is rebuilt.
 */
export function refresh(memory: Memory, scope: RefreshScope = 'sweep'): Promise<void> {
  return memory.index.guarded(
    () => bringUp(memory, scope),
    () => bringUp(memory, 'everything'),
  );
}

async function bringUp(memory: Memory, requested: RefreshScope): Promise<void> {
  const scope = memory.store.isFullyJournaled && requested !== 'everything' ? 'journal' : requested;
  const changes = new Changes();
  changes.clear = scope === 'everything';
  await followJournal(memory, changes);
  const known = changes.clear ? [] : memory.index.folders();
  leaveRoots(memory, changes, known);
  if (scope !== 'journal' || changes.clear) {
    for (const root of memory.store.roots) await visitFolders(memory, root, changes, { known, looksAtAll: scope === 'all' });
  }
  if (scope !== 'journal' && !changes.clear) await sweep(memory, changes, scope === 'all');
  if (changes.any) memory.index.update((change) => changes.write(change));
}

async function followJournal(memory: Memory, changes: Changes): Promise<void> {
  const position = await memory.store.journal.position();
  const known = memory.index.journalPosition();
  if (position === known && !changes.clear) return;
  if (position < known) changes.clear = true;
  changes.position = position;
  for (const { root, path, after } of await memory.store.journal.entries(changes.clear ? 0 : known)) {
    const place = { root, path };
    changes.journaled.set(nameOf(place), { place, hash: after });
  }
  if (changes.clear) return;
  const places = [...changes.journaled.values()].map(({ place }) => place).filter(({ root }) => memory.store.roots.includes(root));
  const read = await memory.store.readMany?.(places);
  for (const place of places) await visitFile(memory, place, changes, read);
}

/** A root that the memory has no longer, such as the `_memory/` of another branch: the index leaves its files until it comes back. */
function leaveRoots({ store, index }: Memory, changes: Changes, known: readonly FolderState[]): void {
  for (const { root, folder, mtimeMs } of known) {
    if (store.roots.includes(root) || mtimeMs === -1) continue;
    changes.folders.push({ root, folder, mtimeMs: -1 });
    changes.removed.push(...index.states(root, folder));
  }
}

interface Look {
  /** The folders as they were. */
  readonly known: readonly FolderState[];
  /** Whether every file is looked at anyway. */
  readonly looksAtAll: boolean;
}

async function visitFolders(memory: Memory, root: RootName, changes: Changes, look: Look): Promise<void> {
  const known = new Map(look.known.filter((state) => state.root === root).map(({ folder, mtimeMs }) => [folder, mtimeMs]));
  // Where there is no such root there is nothing in it either.
  const top = await memory.store.stat({ root, path: '' });
  for (const folder of watchedFolders(root)) {
    const state = folder === '' || top === undefined ? top : await memory.store.stat({ root, path: folder });
    const mtimeMs = state?.mtimeMs ?? -1;
    if (known.get(folder) === mtimeMs) continue;
    changes.folders.push({ root, folder, mtimeMs: memory.now() - mtimeMs < UNSETTLED_MS ? 0 : mtimeMs });
    const files = changes.clear ? [] : memory.index.states(root, folder);
    const paths = new Set(files.map(({ path }) => path));
    for (const name of await memory.store.list(root, folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!paths.has(path) && roleOf({ root, path }).role !== 'other') await visitFile(memory, { root, path }, changes);
    }
    // Most editors save by renaming, which shows in the folder's time: every file in it may be another one now.
    if (!look.looksAtAll) for (const file of await memory.store.changed(files)) await visitFile(memory, file, changes);
  }
}

async function sweep(memory: Memory, changes: Changes, all: boolean): Promise<void> {
  const files = all || memory.index.fileCount() <= SWEEP_LIMIT ? memory.index.states() : memory.index.filesFrom(startAt(memory.now()), SWEEP_SLICE);
  for (const file of await memory.store.changed(files.filter(({ root }) => memory.store.roots.includes(root)))) await visitFile(memory, file, changes);
}

/** Reads one file and notes what the index has to learn. */
async function visitFile(memory: Memory, place: FileRef, changes: Changes, read?: ReadonlyMap<string, StoredFile>): Promise<void> {
  const name = nameOf(place);
  if (changes.seen.has(name)) return;
  changes.seen.add(name);
  const found = await itemIn(memory, place, read ? read.get(name) : await memory.store.read(place));
  if (found) changes.put.push(found);
  else changes.removed.push(place);
}

async function itemIn(memory: Memory, place: FileRef, stored: StoredFile | undefined): Promise<Found | undefined> {
  if (!stored || roleOf(place).role === 'other') return undefined;
  const { root, path, mtimeMs, size, hash } = stored;
  const file = { root, path, mtimeMs, size, hash };
  const item = await memory.itemOf(stored);
  if (!item.ok) return { file: { ...file, problem: item.error.message } };
  return { file, ...(item.value && { item: item.value }) };
}

const nameOf = ({ root, path }: FileRef): string => `${root}:${path}`;

/** Looks again at the files behind hits before they are shown; true when one had changed. */
export async function verifyFiles(memory: Memory, places: readonly FileRef[]): Promise<boolean> {
  const changes = new Changes();
  const known = places.flatMap((place) => memory.index.file(place) ?? []);
  for (const file of await memory.store.changed(known)) await visitFile(memory, file, changes);
  if (changes.any) memory.index.update((change) => changes.write(change));
  return changes.any;
}

/** Where a sweep starts among the hashes. The clock picks it in steps that leave no part out for long, so no state has to be stored. */
function startAt(now: number): string {
  const GOLDEN = 0.618_033_988_749_895;
  return Math.floor(((Math.floor(now / 1_000) * GOLDEN) % 1) * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
