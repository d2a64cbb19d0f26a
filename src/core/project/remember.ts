import { Failure } from '../failure.ts';
import { daysInMs, epochOf, utcSeconds } from '../instant.ts';
import { type FolderFacts, remoteOf } from './claim.ts';
import type { Project } from './identity.ts';
import type { Registry, RegistryEntry } from './registry.ts';

/** Temporary worktrees come and go; the newest folders are the ones worth knowing. */
const PATHS_KEPT = 64;

const entryFor = (registry: Registry, project: Project): RegistryEntry | undefined => registry.projects.find((entry) => entry.key === project.key);

/** Whether the registry has something to learn; a hook that finds nothing due writes nothing. */
export function isRegistryDue(registry: Registry, project: Project, now: number): boolean {
  const entry = entryFor(registry, project);
  if (entry === undefined || project.found !== 'known' || entry.path !== project.path || !entry.paths.includes(project.worktree)) return true;
  return now - (epochOf(entry.lastSeen) ?? 0) >= daysInMs(1);
}

const bounded = (path: string, seen: readonly string[]): string[] => {
  const others = [...new Set(seen)].filter((other) => other !== path);
  return [path, ...others.slice(-(PATHS_KEPT - 1))];
};

/** A project is named before the registry is locked: someone else may have taken the name, or named the same project, in between. */
function checkStillFree(registry: Registry, project: Project): void {
  if (project.found !== 'new') return;
  const rival = registry.projects.find((entry) => (entry.key === project.key) !== (entry.identity === project.identity));
  if (rival === undefined) return;
  throw new Failure('LOCK_TIMEOUT', `${rival.path} became the project ${rival.key} just now`, {
    hint: `run it again, and ${project.path} gets a name of its own`,
  });
}

/** The registry after a project was seen: added or brought up to date, everything else as it was. */
export function rememberProject(registry: Registry, project: Project, facts: FolderFacts, now: number): Registry {
  checkStillFree(registry, project);
  const before = entryFor(registry, project);
  const at = utcSeconds(now);
  const inRepository = facts.gitCommonDir !== undefined && facts.unconfirmed !== true;
  const remote = (inRepository ? remoteOf(facts) : undefined) ?? before?.remote;
  const firstCommit = before?.firstCommit ?? (inRepository ? facts.firstCommit?.() : undefined);
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
  };
  const projects = before === undefined ? [...registry.projects, after] : registry.projects.map((entry) => (entry === before ? after : entry));
  return { ...registry, projects };
}
