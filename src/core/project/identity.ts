import type { Md5 } from '../ports/digest.ts';
import { type FolderIdentity, folderIdentity, type FolderFacts, type IdentityRule, withoutRepository } from './claim.ts';
import { hashProjectPath, tidyPath } from './hash.ts';
import { projectKey } from './key.ts';
import { recordedAt } from './lookup.ts';
import { rejoin } from './rejoin.ts';
import type { RegistryEntry } from './registry.ts';
import { uniqueSlug } from './slug.ts';

export interface IdentityContext {
  readonly rule: IdentityRule;
  readonly md5: Md5;
  readonly exists: (path: string) => boolean;
  /** The path that a key's folder says it belongs to, for folders the registry has never heard of. */
  readonly ownerOf?: (key: string) => string | undefined;
}

export interface Project {
  readonly key: string;
  readonly hash: string;
  readonly identity: string;
  /** The folder it is named after. */
  readonly path: string;
  /** The checkout that was asked from: what it shares lies in here. */
  readonly worktree: string;
  /** How it was recognised. */
  readonly found: 'known' | 'same-folder' | 'moved' | 'new';
}

const HASH_SUFFIX = 6;

function freeKey(
  claim: FolderIdentity,
  own: readonly string[],
  hash: () => string,
  entries: readonly RegistryEntry[],
  { md5, ownerOf }: IdentityContext,
): string {
  const bare = claim.identity.startsWith('path:') ? claim.path : claim.path.replace(/(?<=[^/])\.git$/i, '');
  const key = projectKey(bare, md5);
  const foreign = (candidate: string): boolean => {
    const owner = ownerOf?.(candidate);
    return owner !== undefined && !own.includes(tidyPath(owner));
  };
  const taken = { has: (candidate: string) => entries.some((entry) => entry.key.toLowerCase() === candidate) || foreign(candidate) };
  return taken.has(key) ? uniqueSlug(`${key.slice(0, 73).replace(/[.-]+$/, '')}-${hash().slice(0, HASH_SUFFIX)}`, taken) : key;
}

const isRecorded = (entry: RegistryEntry, worktree: string): boolean => entry.paths.some((path) => tidyPath(path) === worktree);

/** Anyone can write a URL into a configuration: a folder that was never seen and has another history is another repository. */
function isImpostor(entry: RegistryEntry, facts: FolderFacts, worktree: string): boolean {
  if (!entry.identity.startsWith('remote:') || entry.firstCommit === undefined || isRecorded(entry, worktree)) return false;
  const first = facts.firstCommit?.();
  return first !== undefined && first !== entry.firstCommit;
}

/** The project a folder belongs to: one that is known, one that has moved here, or a new one. */
export function resolveProject(given: FolderFacts, entries: readonly RegistryEntry[], context: IdentityContext): Project {
  const worktree = tidyPath(given.worktree ?? given.path) || '/';
  const as = ({ key, hash, identity, path }: RegistryEntry): Project => ({
    key,
    hash: hash || hashProjectPath(path, context.md5),
    identity,
    path,
    worktree,
    found: 'known',
  });
  const recorded = given.gone === true ? recordedAt(given.path, entries) : undefined;
  if (recorded !== undefined) return as(recorded);

  const claimed = folderIdentity(given, context.rule);
  const named = entries.find((entry) => entry.identity === claimed.identity);
  // It was confirmed when it was recorded: since then the repository moved away, or its link was lost.
  if (given.unconfirmed === true && named !== undefined && isRecorded(named, worktree)) return as(named);
  const isOwn = given.unconfirmed !== true && (named === undefined || !isImpostor(named, given, worktree));
  const facts = isOwn ? given : withoutRepository(given);
  const claim = isOwn ? claimed : folderIdentity(facts, context.rule);
  const known = isOwn ? named : entries.find((entry) => entry.identity === claim.identity);
  if (known !== undefined && (known.path === claim.path || context.exists(known.path))) return as(known);
  // Asked for by few, and hashing is slow to load.
  let hashed: string | undefined;
  const hash = (): string => (hashed ??= hashProjectPath(claim.path, context.md5));
  const back = known === undefined ? rejoin(claim, entries, facts, context.exists) : { entry: known, found: 'known' as const };
  const key = back?.entry.key ?? freeKey(claim, [claim.path, worktree, tidyPath(facts.path)], hash, entries, context);
  return {
    key,
    get hash() {
      return hash();
    },
    identity: claim.identity,
    path: claim.path,
    worktree,
    found: back?.found ?? 'new',
  };
}
