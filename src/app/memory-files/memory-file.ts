import type { Clock } from '../../core/ports/host.ts';
import type { FileChange, JournalEntry, FileRef, Store } from '../../core/ports/store.ts';
import type { Config } from '../../core/config/effective.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author } from '../write/transaction.ts';
import type { SizeLimits } from './plan.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { charactersIn } from './compress.ts';

/** The project that the memory belongs to, as `context.json` names it. */
export interface Owner {
  readonly projectKey: string;
  readonly projectHash: string;
  readonly projectPath: string;
}

export interface FileSettings extends SizeLimits {
  readonly updateThreshold: number;
  readonly backupEnabled: boolean;
}

/** A MEMORY.md and the way to write it. */
export interface MemoryFile {
  readonly place: FileRef;
  readonly read: Store['read'];
  readonly stat: Store['stat'];
  readonly absolute: Store['absolute'];
  readonly settings: FileSettings;
  readonly now: Clock;
  readonly owner?: Owner;
  /** Runs one action of the writer: under the lock, journalled, undone together. */
  write<T>(author: Author, work: (apply: (change: FileChange) => Promise<JournalEntry>) => Promise<T>): Promise<T>;
  /** Makes a derived file beside it anew from its current text, under the lock. */
  view(place: FileRef, make: (before: string | undefined) => string): Promise<void>;
}

export const MEMORY_PATH = 'memory/MEMORY.md';

export const fileSettings = (config: Config): FileSettings => ({
  updateThreshold: config.get('updateThreshold'),
  maxMemorySize: config.get('maxMemorySize'),
  compressionThreshold: config.get('compressionThreshold'),
  backupEnabled: config.get('backupEnabled'),
});

/** The MEMORY.md in a project's private root; index and views are updated with it. */
export const memoryFileOf = (memory: Memory, owner: Owner): MemoryFile => ({
  ...storeFile(memory.store, { root: 'private', path: MEMORY_PATH }, { settings: fileSettings(memory.config), now: memory.now, owner }),
  write: (author, work) => writing(memory, author, ({ apply }) => work(apply)),
});

/** A MEMORY.md elsewhere, such as in a folder named by a hash: written the same way, but without index and views. */
export const storeFile = (store: Store, place: FileRef, more: Pick<MemoryFile, 'settings' | 'now' | 'owner'>): MemoryFile => ({
  ...more,
  place,
  read: (at) => store.read(at),
  stat: (at) => store.stat(at),
  absolute: (at) => store.absolute(at),
  write: ({ actor, reason }, work) => store.write(actor, (session) => work((change) => session.apply({ ...(reason !== undefined && { reason }), ...change }))),
  view: (at, make) => store.write('context', async (session) => session.view(at, make((await store.read(at))?.text))),
});

/** A file beside MEMORY.md. */
export const beside = ({ place }: MemoryFile, name: string): FileRef => ({
  root: place.root,
  path: place.path.slice(0, place.path.lastIndexOf('/') + 1) + name,
});

export const backupOf = ({ place }: MemoryFile): FileRef => ({ root: place.root, path: `${place.path}.bak` });

/** How a file is named in the journal. */
export const namedAs = ({ path }: FileRef): { readonly id: string } => ({ id: path.replace(/\.md$/, '') });

export interface RolledBack {
  readonly file: string;
  readonly characters: number;
}

/** Restores MEMORY.md as it was before the last update. File and backup change places, so that a second rollback undoes the first. */
export const rollback = (file: MemoryFile, author: Author): Promise<Result<RolledBack>> =>
  file.write(author, async (apply) => {
    const [current, backup] = [await file.read(file.place), await file.read(backupOf(file))];
    if (!backup) {
      return refuse('NOT_FOUND', `there is no ${file.absolute(backupOf(file))}`, {
        missing: true,
        hint: 'normal before the second update; holdfast log lists every write',
      });
    }
    await apply({ ...file.place, copyOf: backupOf(file), op: 'write', ...namedAs(file.place) });
    if (current) await apply({ ...backupOf(file), text: current.text, op: 'write', ...namedAs(backupOf(file)) });
    return ok({ file: file.absolute(file.place), characters: charactersIn(backup.text) });
  });
