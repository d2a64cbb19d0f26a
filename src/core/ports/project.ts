import type { ConfigFiles } from '../config/effective.ts';
import type { FolderFacts } from '../project/folder.ts';
import type { Registry } from '../project/registry.ts';
import type { Md5 } from './host.ts';

/** Lies in `.claude/memory/` where Infinite Memory 1.2 kept what is private: `migrate` takes that over, and sharing waits until it is gone. */
export const OLD_LAYOUT_MARK = '_session.json';

/** The list of projects that were seen on this machine. */
export interface ProjectRegistry {
  read(): Registry;
  /** Changes the list with the lock held, so that two projects seen at once are both remembered. */
  update(change: (registry: Registry) => Registry): Promise<void>;
}

/** The folders of this machine, and where a home keeps what belongs to a project. */
export interface ProjectFolders {
  readonly registry: ProjectRegistry;
  readonly md5: Md5;
  resolve(folder: string, path: string): string;
  isAbsolute(path: string): boolean;
  isFolder(path: string): boolean;
  exists(path: string): boolean;
  /** The facts about a folder and the git repository that holds it. */
  facts(folder: string): FolderFacts;
  privateRoot(key: string): string;
  /** Where a checkout shares its memory; undefined if no memory may be shared there. */
  sharedRoot(worktree: string): string | undefined;
  /** The `_memory/` of a checkout; undefined if there is none, or a link in its place. */
  memoryFolder(worktree: string): string | undefined;
  /** The user's settings, with those of a project and those that its checkout shares. */
  config(project?: { readonly key: string; readonly checkout?: string | undefined }): ConfigFiles;
  /** The content of `_session.json`; undefined if there is none. */
  sessionText(privateRoot: string): string | undefined;
}
