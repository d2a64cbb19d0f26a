import { basename, dirname, join, resolve } from 'node:path';
import { configuredWorktree, gitDirsOf, real } from './gitfile.ts';
import { statOf, textOf } from './read.ts';

/** A repository as seen from one folder. */
export interface Repository {
  /** What all worktrees of one clone have in common. */
  readonly commonDir: string;
  /** The worktree's own part of it; the same as `commonDir` outside linked worktrees. */
  readonly gitDir: string;
  /** Top of the checkout that was asked from; absent in a bare repository. */
  readonly worktree?: string;
  /** Top of the main checkout, where it can be told. */
  readonly mainWorktree?: string;
}

/** Links resolved as far as the path exists: what is gone keeps its name below what is there. */
export function realPath(path: string): string {
  const whole = resolve(path);
  if (statOf(whole) !== undefined) return real(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPath(parent), basename(whole));
}

// Joined by hand: every search asks this of its folder and of all above it.
const isGitDir = (path: string): boolean => statOf(`${path}/HEAD`)?.isFile() === true && statOf(`${path}/objects`)?.isDirectory() === true;
const isBare = (path: string): boolean => isGitDir(path) && statOf(`${path}/refs`)?.isDirectory() === true;
/** A folder that may not be looked into has a HEAD we cannot see; it is a repository all the same. */
const isClosed = (path: string): boolean => statOf(`${path}/.`) === undefined;

function mainWorktreeOf(commonDir: string, gitDir: string, worktree: string | undefined): string | undefined {
  if (gitDir === commonDir && worktree !== undefined) return worktree;
  return basename(commonDir) === '.git' ? dirname(commonDir) : configuredWorktree(commonDir);
}

const repository = (commonDir: string, gitDir: string, worktree?: string): Repository => {
  const mainWorktree = mainWorktreeOf(commonDir, gitDir, worktree);
  return { commonDir, gitDir, ...(worktree === undefined ? {} : { worktree }), ...(mainWorktree === undefined ? {} : { mainWorktree }) };
};

/** The repository whose top the folder is; `broken` when it has a `.git` that leads nowhere, so that no outer one counts. */
function repositoryAt(folder: string): Repository | 'broken' | undefined {
  const stat = statOf(`${folder}/.git`);
  if (stat === undefined || (!stat.isFile() && !stat.isDirectory())) return isBare(folder) ? repository(folder, folder) : undefined;
  const dotGit = join(folder, '.git');
  if (stat.isDirectory() && !isClosed(dotGit) && !isGitDir(dotGit)) return undefined;
  const named = stat.isDirectory() ? dotGit : /^gitdir:[ \t]*(.+?)\s*$/m.exec(textOf(dotGit) ?? '')?.[1];
  const dirs = named === undefined ? undefined : gitDirsOf(folder, real(resolve(folder, named)));
  return dirs === undefined ? 'broken' : repository(dirs.commonDir, dirs.gitDir, folder);
}

/** The repository that holds a folder whose links are resolved. */
export function repositoryHolding(realFolder: string): Repository | undefined {
  for (let folder = realFolder; ; folder = dirname(folder)) {
    const found = repositoryAt(folder);
    if (found !== undefined) return found === 'broken' ? undefined : found;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The repository that holds a folder, found by reading files alone: no process is started. */
export const findRepository = (path: string): Repository | undefined => repositoryHolding(realPath(path));
