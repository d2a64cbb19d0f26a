import type { FolderFacts } from '../../core/project/folder.ts';
import { firstCommit } from './history.ts';
import { statOf } from './read.ts';
import { remoteUrl } from './refs.ts';
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
