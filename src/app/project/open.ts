import type { Machine } from '../../core/ports/machine.ts';
import { ok, type Result } from '../../core/result.ts';
import { loadConfig } from '../config/load.ts';
import { composeMemory, type ComposedMemory, type Opening } from '../memory/open.ts';
import { type LocatedProject, locateProject, type LocateRequest } from './locate.ts';

export type OpenProject = ComposedMemory & LocatedProject;

/** Opens the memory of the project of a folder or a name. */
export function openProject(machine: Machine, request: Omit<LocateRequest, 'now'>, opening?: Opening): Result<OpenProject> {
  const located = locateProject(machine.folders, { ...request, now: machine.now });
  return located.ok ? ok(openLocated(machine, located.value, opening)) : located;
}

export function openLocated(machine: Machine, located: LocatedProject, opening: Opening = {}): OpenProject {
  const { project, config, register } = located;
  const roots = { private: project.privateRoot, ...(project.sharedRoot !== undefined && { shared: project.sharedRoot }) };
  // `migrate` may have folded a project's own `_memory/` into the memory; before that it is read where it is.
  const folder = machine.folders.memoryFolder(project.worktree);
  const { loaded = loadConfig(config) } = located;
  const isUsed = folder !== undefined && loaded.config.get('storage.memoryFolder') === 'use';
  const composed = composeMemory(machine, {
    ...opening,
    key: project.key,
    // A project whose folder is gone has no shared root either.
    roots: { ...roots, ...(isUsed && { folder }), ...(project.sharedRoot !== undefined && { skills: project.worktree }) },
    existsIf: Object.values(roots),
    state: machine.places.state(project.key),
    loaded,
    checkout: machine.checkout(project.worktree),
    projectPath: project.path,
    beforeFirstWrite: register,
  });
  return { ...located, ...composed };
}

/** Opens the user's own memory, which every project sees. */
export function openUser(machine: Machine, opening: Opening = {}): ComposedMemory {
  const { home, places, folders } = machine;
  return composeMemory(machine, {
    ...opening,
    key: 'user',
    roots: { user: places.userRoot, home },
    existsIf: [places.userRoot, places.workspace],
    state: places.userState,
    loaded: loadConfig(folders.config()),
  });
}

export const knownProjects = ({ folders }: Pick<Machine, 'folders'>): readonly string[] => folders.registry.read().projects.map(({ key }) => key);
