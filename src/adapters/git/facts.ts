import { type FolderFacts, normalRemote } from '../../core/project/folder.ts';
import { type Commit, firstCommit, readCommits } from './history.ts';
import { statOf } from './read.ts';
import { remoteUrl, remoteUrls } from './refs.ts';
import { realGitPath, repositoryHolding } from './repository.ts';
import type { Environment } from './run.ts';

/** What tells which project a folder belongs to; what costs a file or a process waits until it is asked for. */
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
    remote: () => remoteUrl(repository),
    firstCommit: () => firstCommit(repository, env),
  };
}

/** The remotes of the repository that holds a folder, by name, each URL in one spelling. */
export function remotesOf(realFolder: string): ReadonlyMap<string, string> {
  const repository = repositoryHolding(realFolder);
  return new Map(repository ? [...remoteUrls(repository)].map(([name, url]) => [name, normalRemote(url) ?? url] as const) : []);
}

/** The last commits of the repository that holds a folder, newest first and without merges; none where there is no repository. */
export async function recentCommits(realFolder: string, limit: number, env: Environment): Promise<readonly Commit[]> {
  const repository = repositoryHolding(realFolder);
  const commits = repository ? await readCommits(repository, { limit }, env) : undefined;
  return commits?.ok ? commits.value.filter(({ merge }) => !merge) : [];
}
