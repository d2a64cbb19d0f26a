import type { Environment } from '../../core/ports/host.ts';
import { normalRemote } from '../../core/project/folder.ts';
import { blobText, type Commit, readCommits } from './history.ts';
import { remoteUrls } from './refs.ts';
import { repositoryHolding } from './repository.ts';
import { gitOutput } from './run.ts';

/** The remotes of the repository that holds a folder, by name, each URL in one spelling. */
export function remotesOf(realFolder: string): ReadonlyMap<string, string> {
  const repository = repositoryHolding(realFolder);
  return new Map(repository ? [...remoteUrls(repository)].map(([name, url]) => [name, normalRemote(url) ?? url] as const) : []);
}

/** The last commits of the repository that holds a folder, newest first and without merges; none if there is no repository. */
export async function recentCommits(realFolder: string, limit: number, env: Environment): Promise<readonly Commit[]> {
  const repository = repositoryHolding(realFolder);
  const commits = repository ? await readCommits(repository, { limit }, env) : undefined;
  return commits?.ok ? commits.value.filter(({ merge }) => !merge) : [];
}

/** The text that a file of a checkout had when git knew it by this hash. */
export function formerText(folder: string, blob: string, env: Environment): string | undefined {
  const repository = repositoryHolding(folder);
  return repository && blobText(repository, blob, env);
}

const COMMIT_ID = /^[0-9a-f]{7,64}$/;
const TIMEOUT_MS = 5_000;

/** Whether the repository that holds a folder has a commit, on any branch; `id` may be the beginning of its id. */
export function holdsCommit(folder: string, id: string, env: Environment): boolean {
  const repository = COMMIT_ID.test(id) ? repositoryHolding(folder) : undefined;
  const type = repository && gitOutput(repository, { env, words: () => ['cat-file', '-t', id], timeoutMs: TIMEOUT_MS });
  return type?.trim() === 'commit';
}
