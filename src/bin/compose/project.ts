import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { isInside, realPath } from '../../adapters/files/containment.ts';
import { RegistryFile } from '../../adapters/files/registry.ts';
import { blobHash } from '../../adapters/git/blob.ts';
import { folderFacts } from '../../adapters/git/facts.ts';
import { headCommit } from '../../adapters/git/refs.ts';
import { repositoryHolding } from '../../adapters/git/repository.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { ConfigFiles } from '../../core/config/ports.ts';
import type { FolderFacts } from '../../core/project/claim.ts';
import { resolveProject, type Project } from '../../core/project/identity.ts';
import { findProject } from '../../core/project/lookup.ts';
import { isRegistryDue, rememberProject } from '../../core/project/remember.ts';
import type { Registry } from '../../core/project/registry.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Evidence } from '../../core/record/schema.ts';
import { ok, type Result } from '../../core/result.ts';
import { composeMemory, md5, type ComposedMemory, type MemoryParts, type Patience } from './memory.ts';
import { CONFIG_NAME, placesIn, sharedRootIn } from './places.ts';

export interface ProjectMemory extends ComposedMemory {
  readonly project: Project & { readonly privateRoot: string; readonly sharedRoot?: string };
  readonly config: ConfigFiles;
  /** Enters the project into the registry, if it is not there as it is now. */
  remember(): Promise<void>;
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/** A project that is only a name here, or a folder of another machine, is where the registry says and nowhere else. */
const factsAt = (recorded: string): FolderFacts => (isAbsolute(recorded) ? folderFacts(recorded, process.env) : { path: recorded, gone: true });

/** Folder that a word given as `--project` stands for: a path as it is, a key or hash by the registry. */
function folderOf(word: string | undefined, cwd: string, registry: Registry): Result<FolderFacts> {
  if (word === undefined) return ok(folderFacts(cwd, process.env));
  const asPath = resolve(cwd, word);
  if (/[/\\]/.test(word) || word === '.' || word === '..') return ok(folderFacts(asPath, process.env));
  const known = findProject(word, registry.projects, md5);
  if (known.ok) return ok(factsAt(known.value.path));
  return isFolder(asPath) ? ok(folderFacts(asPath, process.env)) : known;
}

/** State of related files now: git's name for their content, and the commit they were seen at. */
function evidenceIn(worktree: string): (paths: readonly string[]) => readonly Evidence[] {
  return (paths) => {
    if (paths.length === 0) return [];
    const repository = repositoryHolding(worktree);
    const commit = repository && headCommit(repository);
    return paths.flatMap((file) => {
      const blob = blobHash(resolve(worktree, file));
      return blob === undefined ? [] : [{ path: file, blob, ...(commit !== undefined && { commit }) }];
    });
  };
}

/** Lies in `.claude/memory/` where Infinite Memory 1.2 kept what is private: `migrate` takes that over, and sharing waits until it is gone. */
export const OLD_LAYOUT_MARK = '_session.json';

export interface ProjectRequest {
  readonly home: string;
  readonly cwd: string;
  /** Path, key or hash; the working folder without it. */
  readonly word?: string | undefined;
  readonly now: Clock;
}

/** A project that was found and is not opened yet: hooks that are switched off look no further. */
export interface LocatedProject {
  readonly project: ProjectMemory['project'];
  readonly config: ConfigFiles;
  remember(): Promise<void>;
}

/** Finds the project that a folder or a word stands for, and where its settings lie. */
export function locateProject({ home, cwd, word, now }: ProjectRequest): Result<LocatedProject> {
  const places = placesIn(home);
  const registryFile = new RegistryFile(places.registry, openDatabase);
  const registry = registryFile.read();
  const folder = folderOf(word, cwd, registry);
  if (!folder.ok) return folder;
  const facts = folder.value;
  const rule = loadConfig(configFiles({ user: places.settings })).config.get('identity');
  const project = resolveProject(facts, registry.projects, { rule, md5, exists: existsSync });
  const privateRoot = places.privateRoot(project.key);
  const shared = sharedRootIn(project.worktree);
  // A clone may carry a link in place of the folder: what is shared lies in the project or nowhere.
  const isOurs = isInside(realPath(project.worktree), realPath(shared)) && !existsSync(join(shared, OLD_LAYOUT_MARK));
  const hasShared = resolve(project.worktree, '.claude') !== resolve(home) && !('gone' in facts) && isOurs;
  const config = configFiles({
    user: places.settings,
    project: join(privateRoot, CONFIG_NAME),
    ...(hasShared && { shared: join(shared, CONFIG_NAME) }),
  });
  const remember = async (): Promise<void> => {
    if (isRegistryDue(registry, project, now())) await registryFile.update((current) => rememberProject(current, project, facts, now()));
  };
  // Not spread: that would work out the hash, which few ask for.
  return ok({ config, remember, project: Object.assign(project, { privateRoot, ...(hasShared && { sharedRoot: shared }) }) });
}

/** Opens the memory of the project that a folder or a word stands for. */
export function openProject(request: ProjectRequest): Result<ProjectMemory> {
  const located = locateProject(request);
  return located.ok ? ok(openLocated(located.value, request)) : located;
}

/** A `_memory/` of the project, unless it was folded into the memory; a link in its place is nobody's folder. */
function memoryFolder(worktree: string, config: ConfigFiles): string | undefined {
  const folder = join(worktree, '_memory');
  if (!existsSync(folder) || !isInside(realPath(worktree), realPath(folder))) return undefined;
  return loadConfig(config).config.get('storage.memoryFolder') === 'use' ? folder : undefined;
}

export interface Opening extends Pick<ProjectRequest, 'home' | 'now'> {
  readonly patience?: Patience | undefined;
  readonly late?: MemoryParts['late'];
}

export function openLocated(located: LocatedProject, { home, now, patience, late }: Opening): ProjectMemory {
  const { project, config, remember } = located;
  const folder = memoryFolder(project.worktree, config);
  const composed = composeMemory({
    key: project.key,
    roots: { private: project.privateRoot, ...(project.sharedRoot !== undefined && { shared: project.sharedRoot }), ...(folder !== undefined && { folder }) },
    signs: [project.privateRoot, ...(project.sharedRoot === undefined ? [] : [project.sharedRoot])],
    state: placesIn(home).state(project.key),
    ahead: placesIn(home).ahead,
    config,
    now,
    worktree: project.worktree,
    projectPath: project.path,
    evidenceOf: evidenceIn(project.worktree),
    beforeFirstWrite: remember,
    ...(patience && { patience }),
    late,
  });
  return { ...composed, config, remember, project };
}

/** Opens the user's own memory, which every project sees. */
export function openUser({ home, now, patience, late }: Opening): ComposedMemory {
  const places = placesIn(home);
  return composeMemory({
    key: 'user',
    roots: { user: places.userRoot, home },
    signs: [places.userRoot, places.workspace],
    state: places.userState,
    ahead: places.ahead,
    config: configFiles({ user: places.settings }),
    now,
    evidenceOf: () => [],
    ...(patience && { patience }),
    late,
  });
}

export function knownProjects(home: string): readonly string[] {
  return new RegistryFile(placesIn(home).registry, openDatabase).read().projects.map(({ key }) => key);
}
