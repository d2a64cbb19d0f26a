import type { Category } from '../record/category.ts';
import type { RecordStatus, Trust } from '../record/schema.ts';
import type { FileState, FileRef, RootName } from './store.ts';

/** The index's state of a file, by which it sees whether the file changed. */
export interface IndexedFile extends FileRef, FileState {
  readonly hash: string;
  /** Hash that the journal last named for it; another hash means a manual edit. */
  readonly journaled?: string;
  /** Why it could not be read as a record. */
  readonly problem?: string;
  /** Kinds of secrets found in it; the index holds none of them. */
  readonly secrets?: readonly string[];
}

/** One record or document as the index keeps it. Texts in `terms` are analysed: space-separated terms. */
export interface IndexItem extends FileRef {
  readonly kind: 'record' | 'document';
  readonly id: string;
  readonly title: string;
  readonly category?: Category;
  readonly tags: readonly string[];
  readonly status: RecordStatus;
  readonly trust: Trust;
  readonly createdAt: string;
  /** When its statement was last made, which may be long before it was written. */
  readonly updatedAt: string;
  /** When it was last written. */
  readonly writtenAt: string;
  /** Readable text for snippets. */
  readonly body: string;
  readonly files: readonly string[];
  readonly supersededBy?: string;
  /** What a rule applies to. */
  readonly appliesTo?: readonly string[];
  /** It waits in the inbox for the user. */
  readonly waits?: true;
  readonly terms: ItemTerms;
  /** Its chunks with their terms, as `packTexts` makes them for ranking; the index stores them unchanged. */
  readonly packedTexts: string;
  /** Its words as they are spelled, to correct misspelt questions. */
  readonly words: readonly string[];
  /** Kinds of secrets in its file, which are redacted here. */
  readonly secrets?: readonly string[];
}

export interface ItemTerms {
  readonly title: string;
  readonly tags: string;
  readonly body: string;
  readonly files: string;
}

/** An item without what only matching needs. */
export type ItemFacts = Omit<IndexItem, 'terms' | 'words' | 'body' | 'packedTexts' | 'secrets'>;

export interface ItemFilter {
  readonly kind?: 'record' | 'document';
  readonly category?: Category;
  readonly status?: RecordStatus;
  readonly root?: RootName;
  readonly waits?: true;
  readonly since?: string;
  readonly until?: string;
}

export interface ItemHit {
  readonly item: ItemFacts & Pick<IndexItem, 'body' | 'packedTexts'>;
  /** Higher is better. */
  readonly score: number;
}

export interface ViewsState {
  /** Journal position at which they were last true. */
  readonly position: number;
  /** When they were last rendered, and how long that took. */
  readonly renderedAt: number;
  readonly tookMs: number;
}

export interface FolderState {
  readonly root: RootName;
  readonly folder: string;
  /** 0 when it changed too recently to tell the next change apart. */
  readonly mtimeMs: number;
}

/** A derived database: it may be thrown away and is made again from the files. */
export interface Index {
  journalPosition(): number;
  fileCount(): number;
  /** All files, in order of root and path. */
  files(): readonly IndexedFile[];
  /** Some files in the order of their hashes, from `hash` on: as good as drawn by lot. */
  filesFrom(hash: string, limit: number): readonly IndexedFile[];
  /** All files, or those of a folder, by what tells whether they have changed and nothing else: there may be very many. */
  states(root?: RootName, folder?: string): readonly (FileRef & FileState)[];
  file(place: FileRef): IndexedFile | undefined;
  folders(): readonly FolderState[];
  unjournaled(): readonly IndexedFile[];
  problems(): readonly IndexedFile[];
  items(filter?: ItemFilter): readonly ItemFacts[];
  byId(id: string): readonly ItemFacts[];
  /** The item of a file; undefined if none passes the filter. */
  itemAt(place: FileRef, filter?: ItemFilter): ItemHit['item'] | undefined;
  /** Active records that say what they apply to, newest first. */
  rules(): readonly ItemFacts[];
  /** Active items among whose files is one with these terms in a row, newest first. */
  naming(pathTerms: readonly string[], limit: number): readonly ItemFacts[];
  /** Records and documents whose id begins so, and records whose short id does. */
  byBeginning(text: string): readonly ItemFacts[];
  /** The short ids before and after one in alphabetical order, from which its printed beginning must differ. */
  shortIdsBeside(shortId: string): readonly string[];
  count(filter?: ItemFilter): number;
  body(place: FileRef): string | undefined;
  /** Newest first. */
  recent(filter: ItemFilter, limit: number, offset?: number): readonly ItemFacts[];
  search(terms: readonly string[], filter: ItemFilter, limit: number, chunkNumbers?: readonly number[]): readonly ItemHit[];
  /** How many items hold each of the terms, whatever their status. */
  holding(terms: readonly string[]): readonly number[];
  /** Words of any item from `from` up to but not including `to`, in order. */
  words(from: string, to: string): readonly string[];
  /** The state of the views; their position is -1 if a file has changed since. */
  views(): ViewsState;
  /** All changes inside `work` become visible together. */
  update(work: (change: IndexChange) => void): void;
  /** Runs `work`; when the database turns out to be damaged it is begun again and `refill` runs before the second try. */
  guarded<T>(work: () => Promise<T>, refill: () => Promise<void>): Promise<T>;
  /** Rewrites the file, so that nothing that was deleted is left in it. */
  compact(): void;
}

export interface IndexChange {
  putFile(file: IndexedFile, item?: IndexItem): void;
  removeFile(place: FileRef): void;
  journaled(place: FileRef, hash: string | undefined): void;
  folder(state: FolderState): void;
  position(journalPosition: number): void;
  views(state: Partial<ViewsState>): void;
  clear(): void;
}
