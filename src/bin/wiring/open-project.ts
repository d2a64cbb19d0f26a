import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { findOutside } from '../../adapters/files/outside/path.ts';
import { isPlainFolder } from '../../adapters/files/outside/walk.ts';
import { RegistryFile } from '../../adapters/files/registry.ts';
import { evidenceIn } from '../../adapters/git/evidence.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { ConfigFiles } from '../../core/config/effective.ts';
import { ok, type Result } from '../../core/result.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import type { LocatedProject } from '../../app/project/locate.ts';
import { locate, type ProjectRequest } from './locate.ts';
import { composeMemory, type ComposedMemory, type MemoryParts, type LockTimeouts } from './open-memory.ts';

export type OpenProject = ComposedMemory & LocatedProject;

/** Opens the memory of the project that a folder or a word stands for. */
export function openProject(request: ProjectRequest): Result<OpenProject> {
  const located = locate(request);
  return located.ok ? ok(openLocated(located.value, request)) : located;
}

/** A `_memory/` of the project, unless it was folded into the memory; a link in its place is nobody's folder. */
function memoryFolder(worktree: string, config: ConfigFiles): string | undefined {
  const folder = join(worktree, '_memory');
  if (!existsSync(folder) || !isPlainFolder(worktree, '_memory')) return undefined;
  return loadConfig(config).config.get('storage.memoryFolder') === 'use' ? folder : undefined;
}

export interface Opening extends Pick<ProjectRequest, 'home' | 'now'> {
  readonly patience?: LockTimeouts | undefined;
  readonly overrides?: MemoryParts['overrides'];
}

export function openLocated(located: LocatedProject, { home, now, patience, overrides }: Opening): OpenProject {
  const { project, config, remember } = located;
  const folder = memoryFolder(project.worktree, config);
  const composed = composeMemory({
    key: project.key,
    roots: { private: project.privateRoot, ...(project.sharedRoot !== undefined && { shared: project.sharedRoot }), ...(folder !== undefined && { folder }) },
    signs: [project.privateRoot, ...(project.sharedRoot === undefined ? [] : [project.sharedRoot])],
    state: placesIn(home).state(project.key),
    home,
    config,
    now,
    worktree: project.worktree,
    projectPath: project.path,
    evidenceOf: (paths) => evidenceIn(project.worktree, paths, (path) => findOutside(project.worktree, path).ok),
    beforeFirstWrite: remember,
    ...(patience && { patience }),
    overrides,
  });
  return { ...composed, config, remember, project };
}

/** Opens the user's own memory, which every project sees. */
export function openUser({ home, now, patience, overrides }: Opening): ComposedMemory {
  const places = placesIn(home);
  return composeMemory({
    key: 'user',
    roots: { user: places.userRoot, home },
    signs: [places.userRoot, places.workspace],
    state: places.userState,
    home,
    config: configFiles({ user: places.settings }),
    now,
    evidenceOf: () => [],
    ...(patience && { patience }),
    overrides,
  });
}

export function knownProjects(home: string): readonly string[] {
  return new RegistryFile(placesIn(home).registry, openDatabase).read().projects.map(({ key }) => key);
}
