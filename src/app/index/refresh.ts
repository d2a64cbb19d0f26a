import type { FolderState, IndexChange, IndexedFile, IndexItem } from '../../core/ports/index.ts';
import type { FileRef, RootName, StoredFile } from '../../core/ports/store.ts';
import { roleOf, watchedFolders } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** A search checks up to so many files; of more it checks a slice at a time, and the files of its hits. */
const SWEEP_LIMIT = 64;
const SWEEP_SLICE = 16;
/** A folder that changed this recently may change again with the same time stamp. */
const CLOCK_TICK_MS = 1_000;

/** Journal position of views that are out of date. */
const VIEWS_OUTDATED = -1;

type RefreshScope = 'journal' | 'sweep' | 'all' | 'everything';

interface ReadFile {
  readonly file: IndexedFile;
  readonly item?: IndexItem;
}

/** Collects what has to change in the index, so that it is written in one step or not at all. */
class Changes {
  /** Files that were read already. */
  readonly seen = new Set<string>();
  readonly put: ReadFile[] = [];
  readonly removed: FileRef[] = [];
  readonly journaled = new Map<string, { readonly place: FileRef; readonly hash: string | undefined }>();
  readonly folders: Parameters<IndexChange['folder']>[0][] = [];
  position: number | undefined;
  clear = false;

  get isAny(): boolean {
    return this.clear || this.position !== undefined || this.put.length + this.removed.length + this.folders.length > 0;
  }

  write(change: IndexChange): void {
    if (this.clear) change.clear();
    for (const { file, item } of this.put) change.putFile(file, item);
    for (const place of this.removed) change.removeFile(place);
    for (const { place, hash } of this.journaled.values()) change.journaled(place, hash);
    for (const folder of this.folders) change.folder(folder);
    if (this.position !== undefined) change.position(this.position);
    if (this.clear || this.put.length + this.removed.length > 0) change.views({ position: VIEWS_OUTDATED });
  }
}

/**
 * Brings the index up to date with the files. `journal` follows the writers' journal, `sweep` also looks for manual edits as far as a search has time,
 * `all` checks every file, `everything` reads every file again. A damaged index is rebuilt.
 */
export function refresh(memory: Memory, scope: RefreshScope = 'sweep'): Promise<void> {
  return memory.index.guarded(
    () => bringUpToDate(memory, scope),
    () => bringUpToDate(memory, 'everything'),
  );
}

async function bringUpToDate(memory: Memory, requested: RefreshScope): Promise<void> {
  const scope = memory.store.isFullyJournaled && requested !== 'everything' ? 'journal' : requested;
  const changes = new Changes();
  changes.clear = scope === 'everything';
  await followJournal(memory, changes);
  const known = changes.clear ? [] : memory.index.folders();
  forgetMissingRoots(memory, changes, known);
  if (scope !== 'journal' || changes.clear) {
    for (const root of memory.store.roots) await visitFolders(memory, root, changes, { known, checksAllFiles: scope === 'all' });
  }
  if (scope !== 'journal' && !changes.clear) await sweep(memory, changes, scope === 'all');
  if (changes.isAny) memory.index.update((change) => changes.write(change));
}

async function followJournal(memory: Memory, changes: Changes): Promise<void> {
  const position = await memory.store.journal.position();
  const known = memory.index.journalPosition();
  if (position === known && !changes.clear) return;
  if (position < known) changes.clear = true;
  changes.position = position;
  for (const { root, path, after } of await memory.store.journal.entries(changes.clear ? 0 : known)) {
    const place = { root, path };
    changes.journaled.set(placeKey(place), { place, hash: after });
  }
  if (changes.clear) return;
  const places = [...changes.journaled.values()].map(({ place }) => place).filter(({ root }) => memory.store.roots.includes(root));
  const read = await memory.store.readMany?.(places);
  for (const place of places) await visitFile(memory, place, changes, read);
}

/** Removes the files of a root that the memory no longer has, such as the `_memory/` of another branch. */
function forgetMissingRoots({ store, index }: Memory, changes: Changes, known: readonly FolderState[]): void {
  for (const { root, folder, mtimeMs } of known) {
    if (store.roots.includes(root) || mtimeMs === -1) continue;
    changes.folders.push({ root, folder, mtimeMs: -1 });
    changes.removed.push(...index.states(root, folder));
  }
}

interface FolderVisit {
  /** The folders as they were indexed. */
  readonly known: readonly FolderState[];
  /** Whether every file is checked anyway. */
  readonly checksAllFiles: boolean;
}

async function visitFolders(memory: Memory, root: RootName, changes: Changes, look: FolderVisit): Promise<void> {
  const known = new Map(look.known.filter((state) => state.root === root).map(({ folder, mtimeMs }) => [folder, mtimeMs]));
  // A missing root has no folders.
  const top = await memory.store.stat({ root, path: '' });
  for (const folder of watchedFolders(root)) {
    const state = folder === '' || top === undefined ? top : await memory.store.stat({ root, path: folder });
    const mtimeMs = state?.mtimeMs ?? -1;
    if (known.get(folder) === mtimeMs) continue;
    changes.folders.push({ root, folder, mtimeMs: memory.now() - mtimeMs < CLOCK_TICK_MS ? 0 : mtimeMs });
    const files = changes.clear ? [] : memory.index.states(root, folder);
    const paths = new Set(files.map(({ path }) => path));
    for (const name of await memory.store.list(root, folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!paths.has(path) && roleOf({ root, path }).role !== 'other') await visitFile(memory, { root, path }, changes);
    }
    // Most editors save by renaming, which changes the folder's time stamp: any file in it may have changed.
    if (!look.checksAllFiles) for (const file of await memory.store.changed(files)) await visitFile(memory, file, changes);
  }
}

async function sweep(memory: Memory, changes: Changes, all: boolean): Promise<void> {
  const files = all || memory.index.fileCount() <= SWEEP_LIMIT ? memory.index.states() : memory.index.filesFrom(sweepStart(memory.now()), SWEEP_SLICE);
  for (const file of await memory.store.changed(files.filter(({ root }) => memory.store.roots.includes(root)))) await visitFile(memory, file, changes);
}

/** Reads a file and collects its change of the index. */
async function visitFile(memory: Memory, place: FileRef, changes: Changes, read?: ReadonlyMap<string, StoredFile>): Promise<void> {
  const name = placeKey(place);
  if (changes.seen.has(name)) return;
  changes.seen.add(name);
  const entry = await indexEntry(memory, place, read ? read.get(name) : await memory.store.read(place));
  if (entry) changes.put.push(entry);
  else changes.removed.push(place);
}

async function indexEntry(memory: Memory, place: FileRef, stored: StoredFile | undefined): Promise<ReadFile | undefined> {
  if (!stored || roleOf(place).role === 'other') return undefined;
  const { root, path, mtimeMs, size, hash } = stored;
  const file = { root, path, mtimeMs, size, hash };
  const item = await memory.itemOf(stored);
  if (!item.ok) return { file: { ...file, problem: item.error.message } };
  return { file, ...(item.value && { item: item.value }) };
}

const placeKey = ({ root, path }: FileRef): string => `${root}:${path}`;

/** Checks the files of hits before they are shown; returns whether one had changed. */
export async function verifyFiles(memory: Memory, places: readonly FileRef[]): Promise<boolean> {
  const changes = new Changes();
  const known = places.flatMap((place) => memory.index.file(place) ?? []);
  for (const file of await memory.store.changed(known)) await visitFile(memory, file, changes);
  if (changes.isAny) memory.index.update((change) => changes.write(change));
  return changes.isAny;
}

/** Where a sweep starts among the hashes: chosen by the clock, so that every part is reached soon and no state has to be stored. */
function sweepStart(now: number): string {
  const GOLDEN = 0.618_033_988_749_895;
  return Math.floor(((Math.floor(now / 1_000) * GOLDEN) % 1) * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
