import type { Clock } from './host.ts';
import type { FileRef, Store } from './store.ts';

/** A folder named by a project's hash that holds memory files. */
export interface HashFolder {
  readonly folder: string;
  /** Its context.json, which says whose it is. */
  readonly context?: string;
}

/** The folders under one home that hold CLAUDE.md and MEMORY.md. */
export interface LayerFiles {
  readonly home: string;
  readonly md5: (text: string) => string;
  hashFolder(hash: string): HashFolder | undefined;
  keyFolder(key: string): string;
  /** The key of the project at a path; undefined for a path of another machine. */
  projectKey(path: string): string | undefined;
  join(folder: string, path: string): string;
  /** Undefined if there is no file. */
  read(file: string): Promise<string | undefined>;
  /** Why a file could not be written; undefined when it could. */
  whyUnwritable(file: string): string | undefined;
  /** A store of its own for one file: under `projects/` its journal lies with the others, elsewhere beside it. */
  openStore(file: string, now: Clock): { readonly store: Store; readonly place: FileRef; close(): void };
}
