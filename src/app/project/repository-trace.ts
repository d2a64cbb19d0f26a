import { isMessage } from '../../core/ports/episodes.ts';
import { type FolderFacts, normalRemote, remoteOf } from '../../core/project/folder.ts';
import type { RegistryEntry } from '../../core/project/registry.ts';
import type { Episode } from '../episodes/read.ts';

/** Remotes and commits that git printed in conversations; they show the repository in which the agent worked. */
export interface RepositoryTrace {
  readonly remotes: ReadonlySet<string>;
  /** Ids as git printed them, newest session first. */
  readonly commits: readonly string[];
}

export const NO_TRACE: RepositoryTrace = { remotes: new Set(), commits: [] };

/** The facts that clones of one repository share. */
type Repository = Pick<RegistryEntry, 'remote' | 'firstCommit'>;

/** Whether two folders are clones of one repository: the same first commit and no different remotes. A remote URL is not enough, because anyone can write it. */
export function isSameRepository(one: Repository, other: Repository): boolean {
  if (one.firstCommit !== other.firstCommit) return false;
  if (one.remote !== undefined && other.remote !== undefined) return one.remote === other.remote;
  return one.firstCommit !== undefined;
}

/** Reads the remote and the first commit of a checkout, which starts a process. The result is empty if its git directory does not confirm the checkout. */
export function repositoryOf(facts: FolderFacts | undefined): Repository {
  if (facts === undefined || facts.unconfirmed === true) return {};
  const [remote, firstCommit] = [remoteOf(facts), facts.firstCommit?.()];
  return { ...(remote !== undefined && { remote }), ...(firstCommit !== undefined && { firstCommit }) };
}

const MAX_SESSIONS = 30;
const MAX_COMMITS = 8;
/** What `git push` and `git remote -v` print. */
const REMOTE = /^(?:To (\S+)|[\w.-]+\t(\S+) \((?:fetch|push)\))$/gm;
/** What `git commit` prints: `[main 1a2b3c4] Subject`. */
const COMMIT = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] /gm;

/** Reads the trace from the newest conversations of a project; only the output of tools counts. */
export function repositoryTrace(episodes: Iterable<Episode>): RepositoryTrace {
  const [remotes, commits] = [new Set<string>(), new Set<string>()];
  let sessionsLeft = MAX_SESSIONS;
  for (const { entries } of episodes) {
    if (sessionsLeft-- === 0 || commits.size >= MAX_COMMITS) break;
    for (const entry of entries) {
      if (!isMessage(entry) || entry.role !== 'tool') continue;
      for (const [, pushed, listed] of entry.text.matchAll(REMOTE)) remotes.add(normalRemote(pushed ?? listed ?? '') ?? '');
      for (const [, id = ''] of entry.text.matchAll(COMMIT)) commits.add(id);
    }
  }
  remotes.delete('');
  return { remotes, commits: [...commits].slice(0, MAX_COMMITS) };
}
