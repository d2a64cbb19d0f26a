import { join, basename, dirname, resolve } from 'node:path';
import { parseGitConfig } from './config.ts';
import { distantWorktree, gitDirNamedBy, gitDirsOf, type GitDirs } from './gitfile.ts';
import { gitFileText, real, statOf } from './read.ts';
import { possiblePath, type FolderFacts } from '../../core/project/folder.ts';
import { firstCommit } from './history.ts';
import { remoteUrl } from './refs.ts';
import type { Environment } from '../../core/ports/host.ts';

const homeOf = (): string => process.getBuiltinModule('node:os').homedir();

/** Values of one key in the machine's and the user's own git configuration, never in a repository's. */
function userValues(section: string, key: string): readonly string[] {
  const home = homeOf();
  return ['/etc/gitconfig', join(home, '.config', 'git', 'config'), join(home, '.gitconfig')]
    .flatMap((file) => parseGitConfig(gitFileText(file) ?? ''))
    .filter((line) => line.section === section && line.subsection === '' && line.key === key)
    .map((line) => line.value);
}

function isDeclaredSafe(folder: string): boolean {
  const values = userValues('safe', 'directory');
  // An empty value cancels those before it.
  return values.slice(values.lastIndexOf('') + 1).some((value) => {
    if (value === '*') return true;
    const path = value.replace(/^~(?=\/)/, homeOf());
    return path.endsWith('/*') ? folder.startsWith(`${real(path.slice(0, -2))}/`) : real(path) === folder;
  });
}

/**
 * Whether all paths belong to the user who runs this, as git demands before it uses a repository: otherwise
 * anyone who can write to a parent folder could put a repository there. `safe.directory` in the user's configuration exempts `folder`.
 */
function isTrustedOwner(folder: string, ...paths: readonly string[]): boolean {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  const isOthers = (path: string): boolean => (statOf(path)?.uid ?? user) !== user;
  return ![folder, ...paths].some(isOthers) || isDeclaredSafe(folder);
}

/** Whether the user's configuration allows using a bare repository that merely holds the folder. */
const allowsBare = (): boolean => userValues('safe', 'barerepository').at(-1)?.toLowerCase() !== 'explicit';

/** A repository as seen from one folder; `commonDir` is what all worktrees of one clone have in common. */
export interface Repository extends GitDirs {
  /** Top of the checkout that holds the folder; absent in a bare repository. */
  readonly worktree?: string;
  /** Top of the main checkout, if it is known. */
  readonly mainWorktree?: string;
}

/** The path with links resolved in the part that exists; the rest is appended unchanged. */
export function realGitPath(path: string): string {
  const absolute = resolve(path);
  let ancestor = possiblePath(absolute);
  while (statOf(ancestor) === undefined) {
    const parent = dirname(ancestor);
    if (parent === ancestor) return absolute;
    ancestor = parent;
  }
  return join(real(ancestor), absolute.slice(ancestor.length));
}

// Joined without `path.join`, which is slower: every search checks its folder and all above it.
const isGitDir = (path: string): boolean => statOf(`${path}/HEAD`)?.isFile() === true && statOf(`${path}/objects`)?.isDirectory() === true;
const isBare = (path: string): boolean => isGitDir(path) && statOf(`${path}/refs`)?.isDirectory() === true;
/** A folder without read permission hides its HEAD, but counts as a repository. */
const isClosed = (path: string): boolean => statOf(`${path}/.`) === undefined;

function mainWorktreeOf({ commonDir, gitDir }: GitDirs, worktree: string | undefined): string | undefined {
  if (worktree !== undefined && gitDir === commonDir) return worktree;
  return basename(commonDir) === '.git' ? dirname(commonDir) : distantWorktree(commonDir);
}

const repositoryFrom = (dirs: GitDirs, worktree?: string): Repository => {
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
  return dirs === undefined || !isTrustedOwner(folder, dotGit, dirs.gitDir) ? 'broken' : repositoryFrom(dirs, folder);
}

/** The repository that holds a folder whose links are resolved. A bare one inside a checkout is content of that checkout. */
export function repositoryHolding(realFolder: string): Repository | undefined {
  let bare: string | undefined;
  for (let folder = possiblePath(realFolder); ; folder = dirname(folder)) {
    const checkout = checkoutAt(folder);
    if (checkout !== undefined) return checkout === 'broken' ? undefined : checkout;
    if (bare === undefined && isBare(folder)) bare = folder;
    if (dirname(folder) === folder) break;
  }
  return bare !== undefined && allowsBare() && isTrustedOwner(bare) ? repositoryFrom({ commonDir: bare, gitDir: bare }) : undefined;
}

/** The repository that holds a folder, found by reading files alone: no process is started. */
export const findRepository = (path: string): Repository | undefined => repositoryHolding(realGitPath(path));

/** The number of a folder on its disk and the time it was made: numbers are used again. A file system that notes no such time gives the number alone. */
function folderId(folder: string): string | undefined {
  const stats = statOf(folder);
  return stats && (stats.birthtimeMs > 0 && stats.birthtimeMs < stats.ctimeMs ? `${stats.ino}-${Math.floor(stats.birthtimeMs)}` : String(stats.ino));
}

/** The facts that tell a folder's project. Those that read a file or start a process are functions. */
export function folderFacts(path: string, env: Environment): FolderFacts {
  const folder = realGitPath(path);
  const repository = repositoryHolding(folder);
  const gone = statOf(folder) === undefined ? { gone: true } : {};
  if (repository === undefined) return { path: folder, ...gone };
  const { commonDir, gitDir, worktree, mainWorktree, unconfirmed } = repository;
  return {
    path: folder,
    ...gone,
    gitCommonDir: commonDir,
    gitDir,
    ...(worktree === undefined ? {} : { worktree }),
    ...(mainWorktree === undefined ? {} : { mainWorktree }),
    ...(unconfirmed && { unconfirmed }),
    folderId: () => folderId(mainWorktree ?? commonDir),
    remote: () => remoteUrl(repository),
    firstCommit: () => firstCommit(repository, env),
  };
}
