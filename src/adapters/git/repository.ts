import { basename, dirname, join, resolve } from 'node:path';
import { possiblePath } from '../../core/project/folder.ts';
import { distantWorktree, gitDirNamedBy, gitDirsOf, real, type GitDirs } from './gitfile.ts';
import { allowsBare, isTrustedOwner } from './ownership.ts';
import { statOf } from './read.ts';

/** A repository as seen from one folder; `commonDir` is what all worktrees of one clone have in common. */
export interface Repository extends GitDirs {
  /** Top of the checkout that was asked from; absent in a bare repository. */
  readonly worktree?: string;
  /** Top of the main checkout, where it can be told. */
  readonly mainWorktree?: string;
}

/** Links resolved as far as the path exists: what is gone keeps its name below what is there. */
export function realGitPath(path: string): string {
  const whole = resolve(path);
  let there = possiblePath(whole);
  while (statOf(there) === undefined) {
    const parent = dirname(there);
    if (parent === there) return whole;
    there = parent;
  }
  return join(real(there), whole.slice(there.length));
}

// Joined by hand: every search asks this of its folder and of all above it.
const isGitDir = (path: string): boolean => statOf(`${path}/HEAD`)?.isFile() === true && statOf(`${path}/objects`)?.isDirectory() === true;
const isBare = (path: string): boolean => isGitDir(path) && statOf(`${path}/refs`)?.isDirectory() === true;
/** A folder that may not be looked into has a HEAD we cannot see; it is a repository all the same. */
const isClosed = (path: string): boolean => statOf(`${path}/.`) === undefined;

function mainWorktreeOf({ commonDir, gitDir }: GitDirs, worktree: string | undefined): string | undefined {
  if (worktree !== undefined && gitDir === commonDir) return worktree;
  return basename(commonDir) === '.git' ? dirname(commonDir) : distantWorktree(commonDir);
}

const repository = (dirs: GitDirs, worktree?: string): Repository => {
  const mainWorktree = mainWorktreeOf(dirs, worktree);
  return { ...dirs, ...(worktree === undefined ? {} : { worktree }), ...(mainWorktree === undefined ? {} : { mainWorktree }) };
};

/** The repository whose checkout the folder is the top of; `broken` when its `.git` may not be used, so that no outer one counts. */
function checkoutAt(folder: string): Repository | 'broken' | undefined {
  const stat = statOf(`${folder}/.git`);
  if (stat === undefined || (!stat.isFile() && !stat.isDirectory())) return undefined;
  const dotGit = join(folder, '.git');
  if (stat.isDirectory() && !isClosed(dotGit) && !isGitDir(dotGit)) return undefined;
  const gitDir = gitDirNamedBy(folder);
  const dirs = gitDir === undefined ? undefined : gitDirsOf(folder, gitDir);
  return dirs === undefined || !isTrustedOwner(folder, dotGit, dirs.gitDir) ? 'broken' : repository(dirs, folder);
}

/** The repository that holds a folder whose links are resolved. A bare one inside a checkout is content of that checkout. */
export function repositoryHolding(realFolder: string): Repository | undefined {
  let bare: string | undefined;
  for (let folder = possiblePath(realFolder); ; folder = dirname(folder)) {
    const found = checkoutAt(folder);
    if (found !== undefined) return found === 'broken' ? undefined : found;
    if (bare === undefined && isBare(folder)) bare = folder;
    if (dirname(folder) === folder) break;
  }
  return bare !== undefined && allowsBare() && isTrustedOwner(bare) ? repository({ commonDir: bare, gitDir: bare }) : undefined;
}

/** The repository that holds a folder, found by reading files alone: no process is started. */
export const findRepository = (path: string): Repository | undefined => repositoryHolding(realGitPath(path));
