import type { Result } from '../result.ts';

/**
 * Where a memory keeps its files: the user's private folder for a project, the one committed with the code, the user's own, and the home they all lie in.
 * `skills` is the checkout, of which only its `SKILL.md` files are opened; it holds no records and is not among the roots that a store lists.
 */
export type RootName = 'private' | 'shared' | 'user' | 'home' | 'folder' | 'skills';

/** A file inside a root; the path is relative to it, with forward slashes. */
export interface FileRef {
  readonly root: RootName;
  readonly path: string;
}

export interface FileState {
  readonly mtimeMs: number;
  readonly size: number;
}

/** A file that is not read; without a name, the folder itself. */
export interface SkippedFile {
  readonly name: string;
  readonly why: string;
}

export interface StoredFile extends FileRef, FileState {
  readonly text: string;
  /** MD5 of the bytes; optimistic writers pass it back. */
  readonly hash: string;
}

/** The journal entry of a write, kept for ever: enough to list, explain and undo it. */
export interface JournalEntry extends FileRef {
  readonly seq: number;
  readonly at: string;
  readonly op: Operation;
  /** One action of a user may write several files; they share a group and are undone together. */
  readonly group: string;
  readonly actor: string;
  readonly id?: string;
  readonly title?: string;
  readonly reason?: string;
  /** Hash of the file before and after; absent if there was or is none. */
  readonly before?: string;
  readonly after?: string;
  /** The path it had before a rename. */
  readonly from?: string;
  /** The group that this entry takes back. */
  readonly undoes?: string;
}

export type Operation =
  | 'create'
  | 'update'
  | 'rename'
  | 'retire'
  | 'restore'
  | 'archive'
  | 'unarchive'
  | 'purge'
  | 'confirm'
  | 'share'
  | 'write'
  | 'adopt'
  | 'forget'
  | 'undo';

/** A change to one file, ready to be made. */
export interface FileChange extends FileRef {
  /** The new text; absent removes the file. */
  readonly text?: string;
  /** In place of a text: the bytes and times of this file, as they are now. */
  readonly copyOf?: FileRef;
  readonly op: Operation;
  readonly id?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly undoes?: string;
}

/** The right to write, held by one process at a time. */
export interface WriteSession {
  /** Keeps the old version, replaces the file durably, and journals it; returns only when all of it is on disk. */
  apply(change: FileChange): Promise<JournalEntry>;
  /** Journals a manual edit; `before` is the hash in the journal. A copy is kept where `copies` says so. */
  adopt(file: StoredFile, before: string | undefined, copies: boolean): Promise<JournalEntry>;
  /** Replaces a derived file: atomic, but neither kept nor journalled, since it can be rendered again. */
  view(place: FileRef, text: string): Promise<void>;
  /** Replaces a file of state: as durable as a record, but neither kept nor journalled. */
  state(place: FileRef, text: string): Promise<void>;
  /**
   * Removes files for good: no version is kept, those with these hashes go, and the journal keeps only that something was written there and when.
   * `pending` remembers the files until `erased`, so that the next writer finishes what a crash cut short.
   */
  erase(places: readonly FileRef[], hashes: ReadonlySet<string>): Promise<void>;
  pending(places: readonly FileRef[]): Promise<void>;
  erased(): Promise<void>;
  /** Makes a folder of a root that is missing. */
  folder(root: RootName, folder: string): Promise<void>;
}

export interface Journal {
  /** Bytes written so far: equal positions mean that nothing was written in between. */
  position(): Promise<number>;
  entries(fromPosition?: number): Promise<readonly JournalEntry[]>;
}

/** Files as truth: one of these a memory. */
export interface Store {
  /** Those that hold records and documents. */
  readonly roots: readonly RootName[];
  /** Whether the project's checkout is there, so that skills can be written into it. */
  readonly hasSkills?: boolean;
  /** Whether the journal has every change, because the files cannot be edited by hand. Then nothing else needs to be looked at. */
  readonly isFullyJournaled?: true;
  read(place: FileRef): Promise<StoredFile | undefined>;
  /** Those of the files that exist, by `root:path`, for a store that a single question costs much. */
  readMany?(places: readonly FileRef[]): Promise<ReadonlyMap<string, StoredFile>>;
  stat(place: FileRef): Promise<FileState | undefined>;
  /** Those of the files that are no longer as they are given: changed or gone. */
  changed<F extends FileRef & FileState>(files: readonly F[]): Promise<readonly F[]>;
  /** Names directly in a folder of a root, sorted; an absent folder is empty. */
  list(root: RootName, folder: string): Promise<readonly string[]>;
  /** The entries of a root's folder that are skipped: links, irregular files, and files that are too large. */
  skipped(root: RootName, folder: string): Promise<readonly SkippedFile[]>;
  /** Turns what a caller calls a file into its place, refusing whatever leads outside the root; `free` where no other file is called so in any letter case. */
  locate(root: RootName, target: string, known?: 'free'): Promise<Result<FileRef>>;
  /** The path as the operating system knows it. */
  absolute(place: FileRef): string;
  /** A superseded text by its hash. */
  version(hash: string): Promise<string | undefined>;
  readonly journal: Journal;
  /** Runs `work` with the write lock held. */
  write<T>(actor: string, work: (session: WriteSession) => Promise<T>): Promise<T>;
  /** Whether a crash left a half-written file behind; the next write clears it. */
  hasStrayFiles(): Promise<boolean>;
  /** Forgets kept versions for good. */
  forget(hashes: readonly string[]): Promise<void>;
  /** Files whose erasure has begun. */
  pendingErasures(): readonly FileRef[];
}
