import { basename, dirname, join, resolve } from 'node:path';
import { lastValue, parseGitConfig } from './config.ts';
import { gitFileText, real, statOf } from './read.ts';

export interface GitDirs {
  readonly commonDir: string;
  readonly gitDir: string;
  /** The git directory does not name this checkout back, so the checkout may not claim the repository's memory. */
  readonly unconfirmed?: true;
}

/** The git directory that a checkout's `.git` names, be it a folder, a link or a file. */
export function gitDirNamedBy(folder: string): string | undefined {
  const dotGit = join(folder, '.git');
  const stat = statOf(dotGit);
  if (stat?.isDirectory() === true) return real(dotGit);
  const target = /^gitdir:[ \t]*(.+?)\s*$/m.exec(gitFileText(dotGit) ?? '')?.[1];
  return target === undefined ? undefined : real(resolve(folder, target));
}

/** The checkout that a git directory's configuration names; submodules have one. */
const configuredWorktree = (commonDir: string): string | undefined => {
  const worktree = lastValue(parseGitConfig(gitFileText(join(commonDir, 'config')) ?? ''), 'core', 'worktree');
  return worktree === undefined || worktree === '' ? undefined : real(resolve(commonDir, worktree));
};

/** Top of the main checkout of a repository whose git directory lies elsewhere: both must name each other. */
export function distantWorktree(commonDir: string): string | undefined {
  const configured = configuredWorktree(commonDir);
  return configured !== undefined && gitDirNamedBy(configured) === commonDir ? configured : undefined;
}

/** A linked worktree's `commondir` file names the repository; if the repository has moved away, the path of the git directory does. */
function commonDirOf(gitDir: string): string {
  const commonDir = gitFileText(join(gitDir, 'commondir'))?.trim();
  if (commonDir !== undefined && commonDir !== '') return real(resolve(gitDir, commonDir));
  const isLinked = basename(dirname(gitDir)) === 'worktrees' && statOf(gitDir) === undefined;
  return isLinked ? dirname(dirname(gitDir)) : gitDir;
}

/**
 * Whether the git directory names the checkout that points to it. A `.git` that came in an archive can point to any
 * repository on the machine: one that belongs to another checkout is foreign, one that names none is unconfirmed.
 */
function linkBetween(folder: string, commonDir: string, gitDir: string): 'mutual' | 'unconfirmed' | 'foreign' {
  const mutualIf = (isNamed: boolean): 'mutual' | 'foreign' => (isNamed ? 'mutual' : 'foreign');
  if (gitDir !== commonDir) {
    if (dirname(gitDir) !== join(commonDir, 'worktrees')) return 'foreign';
    const back = gitFileText(join(gitDir, 'gitdir'))?.trim();
    // After a checkout was moved by hand, its git directory still names the old folder, which no longer exists.
    if (back === undefined || back === '' || statOf(resolve(gitDir, back)) === undefined) return 'unconfirmed';
    return mutualIf(dirname(real(resolve(gitDir, back))) === folder);
  }
  if (basename(gitDir) === '.git') return mutualIf(dirname(gitDir) === folder);
  const configured = configuredWorktree(commonDir);
  if (configured !== undefined) return mutualIf(configured === folder);
  return dirname(gitDir) === folder ? 'mutual' : 'unconfirmed';
}

/** The directories behind a checkout's `.git`; undefined when they belong to another checkout. */
export function gitDirsOf(folder: string, gitDir: string): GitDirs | undefined {
  const commonDir = commonDirOf(gitDir);
  const link = linkBetween(folder, commonDir, gitDir);
  if (link === 'foreign') return undefined;
  return { commonDir, gitDir, ...(link === 'unconfirmed' && { unconfirmed: true }) };
}
