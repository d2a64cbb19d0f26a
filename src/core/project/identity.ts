import type { Md5 } from '../ports/host.ts';
import { tidyPath, type FolderIdentity, type FolderFacts, remoteOf, folderIdentity, type IdentityRule, withoutRepository, hashProjectPath } from './folder.ts';
import { isReservedName, SLUG_LIMIT, slugify, slugOr, uniqueSlug } from './slug.ts';
import { asReplaced, isReplaced, type RegistryEntry, recordedAt, type Registry, withName } from './registry.ts';
import { Failure } from '../failure.ts';
import { daysInMs, epochOf, utcSeconds } from '../instant.ts';

/** Dots stay, so that a folder named by the older rule (lower case, underscores to hyphens) has the same key. */
const dotted = (name: string): string =>
  name
    .split('.')
    .map(slugify)
    .filter(Boolean)
    .join('.')
    .slice(0, SLUG_LIMIT)
    .replace(/[.-]+$/, '');

/** The readable name of a project: its folder's name in lower case with hyphens. */
export function projectKey(path: string, md5: Md5): string {
  const name = tidyPath(path).split('/').at(-1) ?? '';
  if (name === '' || /^[A-Za-z]:$/.test(name)) return 'root';
  const key = dotted(name) || slugOr(name, md5);
  return isReservedName(key) ? `${key.replaceAll('.', '-')}-project` : key;
}

const kindOf = (identity: string): string => identity.slice(0, identity.indexOf(':'));
/** The linked worktree of an identity; empty for the repository itself. */
const linkedPart = (identity: string): string => /\/worktrees\/[^/]+$/.exec(identity)?.[0] ?? '';
/** The folder that must no longer exist for an entry to count as moved. */
const whereabouts = ({ identity, path }: RegistryEntry): string => (/^(git|worktree):/.test(identity) ? identity.slice(identity.indexOf(':') + 1) : path);
const newestFirst = (a: RegistryEntry, b: RegistryEntry): number => b.lastSeen.localeCompare(a.lastSeen);

/** A bare repository with a hidden name other than `.git`, which is named after the folder that it lies in. */
const HIDDEN_BARE = /^(?:git|worktree):.*\/\.(?!git(?:\/|$))[^/]+(?:\/worktrees\/[^/]+)?$/;

/** The same folder under another rule, before `git init`, or with a new remote. */
function sameFolder(claim: FolderIdentity, entries: readonly RegistryEntry[], facts: FolderFacts): RegistryEntry | undefined {
  // Other clones keep the memory of a remote if one of them changes its remote.
  const leaves = (entry: RegistryEntry): boolean => kindOf(entry.identity) === 'remote' && kindOf(claim.identity) === 'remote' && entry.paths.length > 1;
  return entries
    .filter((entry) => entry.path === claim.path && !leaves(entry) && !intrudes(claim, entry) && !isOfAnother(entry, facts))
    .toSorted(newestFirst)[0];
}

const isInOtherFolder = ({ folderId }: RegistryEntry, facts: FolderFacts): boolean => {
  const now = folderId === undefined ? undefined : facts.folderId?.();
  return now !== undefined && now !== folderId;
};

/** Whether another repository lies where this project's did: the folder is another one, and so is its history. */
function isOfAnother(entry: RegistryEntry, facts: FolderFacts): boolean {
  if (entry.firstCommit === undefined || !isInOtherFolder(entry, facts)) return false;
  const firstCommit = facts.firstCommit?.();
  return firstCommit !== undefined && firstCommit !== entry.firstCommit;
}

/** A hidden repository that is added to a plain folder does not get the folder's memory. */
const intrudes = (claim: FolderIdentity, entry: RegistryEntry): boolean => kindOf(entry.identity) === 'path' && HIDDEN_BARE.test(claim.identity);

/** A repository whose folder was moved or renamed, or that was cloned again after the old clone was removed. */
function moved(claim: FolderIdentity, entries: readonly RegistryEntry[], facts: FolderFacts, exists: (path: string) => boolean): RegistryEntry | undefined {
  if (kindOf(claim.identity) === 'path') return undefined;
  const isGone = (entry: RegistryEntry): boolean =>
    isReplaced(entry) || !exists(whereabouts(entry)) || (entry.folderId !== undefined && entry.folderId === facts.folderId?.());
  const vanished = entries.filter((entry) => kindOf(entry.identity) !== 'path' && linkedPart(entry.identity) === linkedPart(claim.identity) && isGone(entry));
  if (vanished.length === 0) return undefined;
  const remote = remoteOf(facts);
  const firstCommit = vanished.some((entry) => entry.firstCommit !== undefined) ? facts.firstCommit?.() : undefined;
  const weigh = (entry: RegistryEntry): number => {
    const bothKnown = remote !== undefined && entry.remote !== undefined;
    if (bothKnown && remote !== entry.remote) return 0;
    // A URL can be written by anyone; the history of a private repository cannot. One recorded before its first commit proves nothing.
    if (entry.firstCommit === undefined || entry.firstCommit !== firstCommit) return 0;
    return bothKnown ? 2 : 1;
  };
  return vanished.filter((entry) => weigh(entry) > 0).toSorted((a, b) => weigh(b) - weigh(a) || newestFirst(a, b))[0];
}

/** A known project under another identity, so that a rename, a new rule or `git init` does not lose its memory. */
function rejoin(
  claim: FolderIdentity,
  entries: readonly RegistryEntry[],
  facts: FolderFacts,
  exists: (path: string) => boolean,
): { readonly entry: RegistryEntry; readonly match: 'same-folder' | 'moved' } | undefined {
  const here = sameFolder(claim, entries, facts);
  if (here !== undefined) return { entry: here, match: 'same-folder' };
  const away = moved(claim, entries, facts, exists);
  return away === undefined ? undefined : { entry: away, match: 'moved' };
}

export interface IdentityContext {
  readonly rule: IdentityRule;
  readonly md5: Md5;
  readonly exists: (path: string) => boolean;
  /** The path that a key's folder records, for folders that are not in the registry. */
  readonly ownerOf?: (key: string) => string | undefined;
}

export interface Project {
  readonly key: string;
  readonly hash: string;
  readonly identity: string;
  /** The folder it is named after. */
  readonly path: string;
  /** The current checkout, which contains the shared memory. */
  readonly worktree: string;
  /** How it was recognised. */
  readonly match: 'known' | 'same-folder' | 'moved' | 'new';
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
  const usedKeys = { has: (candidate: string) => withName(entries, ({ key: known }) => known.toLowerCase() === candidate).length > 0 || foreign(candidate) };
  return usedKeys.has(key) ? uniqueSlug(`${key.slice(0, 73).replace(/[.-]+$/, '')}-${hash().slice(0, HASH_SUFFIX)}`, usedKeys) : key;
}

const isRecorded = (entry: RegistryEntry, worktree: string): boolean => entry.paths.some((path) => tidyPath(path) === worktree);

/** Whether a folder only claims a remote. Anyone can write a URL into a configuration, so an unknown folder must have the recorded history. */
function isImpostor(entry: RegistryEntry, facts: FolderFacts, worktree: string): boolean {
  if (!entry.identity.startsWith('remote:') || isRecorded(entry, worktree)) return false;
  return entry.firstCommit === undefined || entry.firstCommit !== facts.firstCommit?.();
}

/** The project a folder belongs to: one that is known, one that has moved here, or a new one. */
export function resolveProject(folder: FolderFacts, entries: readonly RegistryEntry[], context: IdentityContext): Project {
  const worktree = tidyPath(folder.worktree ?? folder.path) || '/';
  const as = ({ key, hash, identity, path }: RegistryEntry): Project => ({
    key,
    hash: hash || hashProjectPath(path, context.md5),
    identity,
    path,
    worktree,
    match: 'known',
  });
  const recorded = folder.gone === true ? recordedAt(folder.path, entries) : undefined;
  if (recorded !== undefined) return as(recorded);

  const claimed = folderIdentity(folder, context.rule);
  const isHere = (name: RegistryEntry): boolean => name.identity === claimed.identity || (name.path === claimed.path && !intrudes(claimed, name));
  // The user merged it into another project.
  const merged = entries.find(({ joined }) => joined?.some((name) => isHere(name) && !isImpostor(name, folder, worktree) && !isOfAnother(name, folder)));
  if (merged !== undefined && folder.unconfirmed !== true) return as(merged);
  const namesake = entries.find((entry) => entry.identity === claimed.identity);
  const hasReplaced = namesake !== undefined && folder.unconfirmed !== true && isOfAnother(namesake, folder);
  const named = hasReplaced ? undefined : namesake;
  // The checkout was confirmed when it was recorded; since then the repository has moved away, or its link was lost.
  if (folder.unconfirmed === true && named !== undefined && isRecorded(named, worktree)) return as(named);
  const isOwn = folder.unconfirmed !== true && (named === undefined || !isImpostor(named, folder, worktree));
  const facts = isOwn ? folder : withoutRepository(folder);
  const claim = isOwn ? claimed : folderIdentity(facts, context.rule);
  const known = isOwn ? named : entries.find((entry) => entry.identity === claim.identity);
  if (known !== undefined && (known.path === claim.path || context.exists(known.path)))
    // A clone in place of the old one: the registry notes the new folder.
    return isOwn && isInOtherFolder(known, facts) ? { ...as(known), match: 'same-folder' } : as(known);
  // Few callers need it, and hashing is slow to load.
  let hashed: string | undefined;
  const hash = (): string => (hashed ??= hashProjectPath(hasReplaced ? `${claim.path}#${facts.firstCommit?.() ?? ''}` : claim.path, context.md5));
  const others = hasReplaced ? entries.filter((entry) => entry !== namesake) : entries;
  const back = known === undefined ? rejoin(claim, others, facts, context.exists) : { entry: known, match: 'known' as const };
  const key = back?.entry.key ?? freeKey(claim, [claim.path, worktree, tidyPath(facts.path)], hash, entries, context);
  return {
    key,
    get hash() {
      return hash();
    },
    identity: claim.identity,
    path: claim.path,
    worktree,
    match: back?.match ?? 'new',
  };
}

/** The most folders of a project in the registry; the newest stay, because temporary worktrees come and go. */
const MOST_PATHS = 64;

const entryFor = (registry: Registry, project: Project): RegistryEntry | undefined => registry.projects.find((entry) => entry.key === project.key);

/** Whether the registry needs an update; a hook writes only then. */
export function isRegistryDue(registry: Registry, project: Project, now: number): boolean {
  const entry = entryFor(registry, project);
  if (entry === undefined || project.match !== 'known' || entry.path !== project.path || !entry.paths.includes(project.worktree)) return true;
  return now - (epochOf(entry.lastSeen) ?? 0) >= daysInMs(1);
}

const bounded = (path: string, paths: readonly string[]): string[] => {
  const others = [...new Set(paths)].filter((other) => other !== path);
  return [path, ...others.slice(-(MOST_PATHS - 1))];
};

/** A project gets its name before the registry is locked: another process may have used the name, or named the same project, in between. */
function checkStillFree(registry: Registry, project: Project): void {
  if (project.match !== 'new') return;
  const rival = registry.projects.find((entry) => (entry.key === project.key) !== (entry.identity === project.identity));
  if (rival === undefined) return;
  throw new Failure('LOCK_TIMEOUT', `${rival.path} became the project ${rival.key} just now`, {
    hint: `run it again, and ${project.path} gets a name of its own`,
  });
}

/** The registry with a project added or updated. */
export function rememberProject(known: Registry, project: Project, facts: FolderFacts, now: number): Registry {
  const isNamesake = (entry: RegistryEntry): boolean => entry.key !== project.key && entry.identity === project.identity && isOfAnother(entry, facts);
  const registry = { ...known, projects: known.projects.map((entry) => (isNamesake(entry) ? asReplaced(entry) : entry)) };
  checkStillFree(registry, project);
  const before = entryFor(registry, project);
  const at = utcSeconds(now);
  const inRepository = facts.gitCommonDir !== undefined && facts.unconfirmed !== true;
  const remote = (inRepository ? remoteOf(facts) : undefined) ?? before?.remote;
  const firstCommit = before?.firstCommit ?? (inRepository ? facts.firstCommit?.() : undefined);
  // Without a history of its own, a folder does not take the place of the one that was recorded.
  const isUnproven = before?.firstCommit !== undefined && isInOtherFolder(before, facts) && before.firstCommit !== facts.firstCommit?.();
  const folderId = (inRepository && !isUnproven ? facts.folderId?.() : undefined) ?? before?.folderId;
  const after: RegistryEntry = {
    ...before,
    key: project.key,
    identity: project.identity,
    hash: project.hash,
    path: project.path,
    paths: bounded(project.path, [...(before?.paths ?? []), ...(facts.gone === true ? [] : [project.worktree])]),
    createdAt: before?.createdAt ?? at,
    lastSeen: at,
    ...(remote === undefined ? {} : { remote }),
    ...(firstCommit === undefined ? {} : { firstCommit }),
    ...(folderId === undefined ? {} : { folderId }),
  };
  const projects = before === undefined ? [...registry.projects, after] : registry.projects.map((entry) => (entry === before ? after : entry));
  return { ...registry, projects };
}
