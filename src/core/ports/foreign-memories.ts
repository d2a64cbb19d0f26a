import type { Result } from '../result.ts';

/** A file of another tool's memory; the path is relative to that memory, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
}

export interface ForeignFolder {
  readonly place: string;
  readonly files: readonly SourceFile[];
}

/** A database of another tool, as rows by table. */
export interface ForeignDatabase {
  readonly place: string;
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** The places around one project where other tools keep memories; a place that does not exist is absent. */
export interface ForeignPlaces {
  /** `.claude/memory` in the checkout. */
  readonly shared: ForeignFolder;
  readonly privateRoot: ForeignFolder;
  /** The folder named by the project's hash. */
  readonly hashFolder?: ForeignFolder;
  /** `_memory` in the checkout. */
  readonly memoryFolder?: ForeignFolder;
  /** What Claude Code remembers by itself. */
  readonly autoMemory?: ForeignFolder;
  readonly claudeMem?: ForeignDatabase;
  /** The folder of basic-memory's notes, which are about all projects. */
  readonly basicMemory?: string;
}

/** The content of a path that the user named. */
export type NamedMemory = ForeignFolder | ForeignDatabase | { readonly place: string; readonly file: SourceFile } | { readonly place: string };

/** Memories of other tools; they are read and never changed. */
export interface ForeignMemories {
  near(project: { readonly hash: string; readonly worktree: string; readonly privateRoot: string }): ForeignPlaces;
  named(path: string): Result<NamedMemory>;
}
