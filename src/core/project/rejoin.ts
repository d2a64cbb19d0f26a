import { type FolderIdentity, type FolderFacts, remoteOf } from './claim.ts';
import type { RegistryEntry } from './registry.ts';

const kindOf = (identity: string): string => identity.slice(0, identity.indexOf(':'));
/** Which linked worktree of its repository an identity speaks of; empty for the repository itself. */
const linkedPart = (identity: string): string => /\/worktrees\/[^/]+$/.exec(identity)?.[0] ?? '';
/** What must be gone before an entry counts as moved. */
const whereabouts = ({ identity, path }: RegistryEntry): string => (/^(git|worktree):/.test(identity) ? identity.slice(identity.indexOf(':') + 1) : path);
const newestFirst = (a: RegistryEntry, b: RegistryEntry): number => b.lastSeen.localeCompare(a.lastSeen);

/** The same folder under another rule, before `git init`, or with a new remote. */
function sameFolder(claim: FolderIdentity, entries: readonly RegistryEntry[]): RegistryEntry | undefined {
  // Other clones hold on to a remote's memory when one of them turns to another remote.
  const leaves = (entry: RegistryEntry): boolean => kindOf(entry.identity) === 'remote' && kindOf(claim.identity) === 'remote' && entry.paths.length > 1;
  return entries.filter((entry) => entry.path === claim.path && !leaves(entry)).toSorted(newestFirst)[0];
}

/** A repository whose folder was moved or renamed, or that was cloned anew after the old clone went. */
function moved(claim: FolderIdentity, entries: readonly RegistryEntry[], facts: FolderFacts, exists: (path: string) => boolean): RegistryEntry | undefined {
  if (kindOf(claim.identity) === 'path') return undefined;
  const vanished = entries.filter(
    (entry) => kindOf(entry.identity) !== 'path' && linkedPart(entry.identity) === linkedPart(claim.identity) && !exists(whereabouts(entry)),
  );
  if (vanished.length === 0) return undefined;
  const remote = remoteOf(facts);
  const firstCommit = vanished.some((entry) => entry.firstCommit !== undefined) ? facts.firstCommit?.() : undefined;
  const weigh = (entry: RegistryEntry): number => {
    const bothKnown = remote !== undefined && entry.remote !== undefined;
    if (bothKnown && remote !== entry.remote) return 0;
    // A URL alone can be written by anyone; the history of a private repository cannot.
    if (entry.firstCommit !== undefined && entry.firstCommit !== firstCommit) return 0;
    return (bothKnown ? 2 : 0) + (entry.firstCommit === undefined ? 0 : 1);
  };
  return vanished.filter((entry) => weigh(entry) > 0).toSorted((a, b) => weigh(b) - weigh(a) || newestFirst(a, b))[0];
}

/** A known project under another identity: its memory must not be lost to a rename, a new rule or `git init`. */
export function rejoin(
  claim: FolderIdentity,
  entries: readonly RegistryEntry[],
  facts: FolderFacts,
  exists: (path: string) => boolean,
): { readonly entry: RegistryEntry; readonly found: 'same-folder' | 'moved' } | undefined {
  const here = sameFolder(claim, entries);
  if (here !== undefined) return { entry: here, found: 'same-folder' };
  const away = moved(claim, entries, facts, exists);
  return away === undefined ? undefined : { entry: away, found: 'moved' };
}
