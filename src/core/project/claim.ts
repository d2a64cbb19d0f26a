import { tidyPath } from './hash.ts';
import { normalRemote } from './remote.ts';

/** What makes two folders one project. */
export type IdentityRule = 'repository' | 'worktree' | 'remote';

/** What is known of a folder. Links are resolved, paths absolute. */
export interface FolderFacts {
  readonly path: string;
  /** The folder is no longer there. */
  readonly gone?: boolean;
  readonly gitCommonDir?: string;
  /** A linked worktree's own part of the repository; the common directory elsewhere. */
  readonly gitDir?: string;
  /** The checkout names the git directory, which does not name the checkout. */
  readonly unconfirmed?: boolean;
  /** Top of the checkout that holds the folder. */
  readonly worktree?: string;
  /** Top of the repository's main checkout. */
  readonly mainWorktree?: string;
  /** Costs a file: asked only when the folder is not known yet, or when remotes decide. */
  readonly remote?: () => string | undefined;
  /** Costs a process: asked only to recognise a repository that has moved. */
  readonly firstCommit?: () => string | undefined;
}

/** Who a folder says it is, and the folder it would be named after. */
export interface FolderIdentity {
  readonly identity: string;
  readonly path: string;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder a repository is named after: its main checkout, or where a bare one lies. */
function repositoryFolder(commonDir: string, mainWorktree: string | undefined): string {
  if (mainWorktree !== undefined) return tidyPath(mainWorktree) || '/';
  const tidy = tidyPath(commonDir);
  return nameOf(tidy).startsWith('.') ? tidy.slice(0, -nameOf(tidy).length - 1) || '/' : tidy;
}

/** What an unconfirmed checkout may say of itself: that it lies where it lies. Another repository's place, remote and history are not its own. */
export function withoutRepository({ path, gone, worktree = path }: FolderFacts): FolderFacts {
  const dotGit = `${tidyPath(worktree)}/.git`;
  return { path, ...(gone && { gone }), worktree, mainWorktree: worktree, gitCommonDir: dotGit, gitDir: dotGit };
}

export const remoteOf = (facts: FolderFacts): string | undefined => normalRemote(facts.remote?.() ?? '');

export function folderIdentity(facts: FolderFacts, rule: IdentityRule): FolderIdentity {
  const { path, gitCommonDir, gitDir = gitCommonDir, worktree, mainWorktree } = facts;
  if (gitCommonDir === undefined || gitDir === undefined) return { identity: `path:${tidyPath(path) || '/'}`, path: tidyPath(path) || '/' };
  const folder = repositoryFolder(gitCommonDir, mainWorktree);
  if (rule === 'worktree') return { identity: `worktree:${tidyPath(gitDir)}`, path: worktree === undefined ? folder : tidyPath(worktree) || '/' };
  const remote = rule === 'remote' ? remoteOf(facts) : undefined;
  return { identity: remote === undefined ? `git:${tidyPath(gitCommonDir)}` : `remote:${remote}`, path: folder };
}
