import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { lastValue, parseGitConfig } from './config.ts';
import { statOf, textOf } from './read.ts';

export const real = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};

export interface GitDirs {
  readonly commonDir: string;
  readonly gitDir: string;
}

/** Where a repository says its main checkout is; only submodules and the like say so. */
export function configuredWorktree(commonDir: string): string | undefined {
  const set = lastValue(parseGitConfig(textOf(join(commonDir, 'config')) ?? ''), 'core', 'worktree');
  return set === undefined || set === '' ? undefined : real(resolve(commonDir, set));
}

/** A linked worktree's `commondir` file names the rest; when the repository has moved away, its place can still be told from the path. */
function commonDirOf(gitDir: string): string {
  const named = textOf(join(gitDir, 'commondir'))?.trim();
  if (named !== undefined && named !== '') return real(resolve(gitDir, named));
  const inside = basename(dirname(gitDir)) === 'worktrees' && statOf(gitDir) === undefined;
  return inside ? dirname(dirname(gitDir)) : gitDir;
}

/**
 * Whether the repository knows the checkout that points to it. A `.git` that came in an archive could point to any
 * repository on the machine, and would be shown its memory.
 */
function isMutual(folder: string, { commonDir, gitDir }: GitDirs): boolean {
  if (gitDir !== commonDir) {
    if (dirname(gitDir) !== join(commonDir, 'worktrees')) return false;
    const back = textOf(join(gitDir, 'gitdir'))?.trim();
    // A checkout that was moved by hand is still named by its old place, where nothing is any more.
    return back === undefined || back === '' || dirname(real(resolve(gitDir, back))) === folder || statOf(resolve(gitDir, back)) === undefined;
  }
  if (basename(gitDir) === '.git') return dirname(gitDir) === folder;
  return (configuredWorktree(commonDir) ?? folder) === folder;
}

/** The directories behind a checkout's `.git`, be it a folder, a link or a file that names one. */
export function gitDirsOf(folder: string, gitDir: string): GitDirs | undefined {
  const dirs = { commonDir: commonDirOf(gitDir), gitDir };
  return isMutual(folder, dirs) ? dirs : undefined;
}
