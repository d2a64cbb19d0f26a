import type { ConfigFiles } from '../../core/config/effective.ts';
import { isFailure } from '../../core/failure.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { ProjectFolders } from '../../core/ports/project.ts';
import type { FolderFacts } from '../../core/project/folder.ts';
import { type Project, resolveProject } from '../../core/project/identity.ts';
import { findProject } from '../../core/project/registry.ts';
import type { Registry } from '../../core/project/registry.ts';
import { isRegistryDue, rememberProject } from '../../core/project/identity.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { isStarted, switchOf } from './switch.ts';

export interface LocateRequest {
  readonly cwd: string;
  /** Path, key or hash; the working folder without it. */
  readonly name?: string | undefined;
  readonly now: Clock;
}

/** A project that was found and is not opened yet; where memory is off, a hook goes no further. */
export interface LocatedProject {
  readonly project: Project & { readonly privateRoot: string; readonly sharedRoot?: string };
  readonly config: ConfigFiles;
  /** The settings, if they were read already. */
  readonly loaded?: LoadedConfig;
  /** Facts about its folder; absent if no folder was examined. */
  readonly facts?: FolderFacts;
  /** Enters the project into the registry, unless its entry is up to date. */
  register(): Promise<void>;
}

/** The folder that `--project` names: a path as it is, a key or hash by the registry. */
function folderNamed(folders: ProjectFolders, { cwd, name }: LocateRequest, registry: Registry): Result<FolderFacts> {
  if (name === undefined) return ok(folders.facts(cwd));
  const asPath = folders.resolve(cwd, name);
  if (/[/\\]/.test(name) || name === '.' || name === '..') return ok(folders.facts(asPath));
  const known = findProject(name, registry.projects, folders.md5);
  if (!known.ok) return folders.isFolder(asPath) ? ok(folders.facts(asPath)) : known;
  const { path } = known.value;
  // A relative path belongs to a project that is only a name here, or to a folder of another machine.
  return ok(folders.isAbsolute(path) ? folders.facts(path) : { path, gone: true });
}

/** Finds the project of a folder or a name, and where its settings lie. */
export function locateProject(folders: ProjectFolders, request: LocateRequest): Result<LocatedProject> {
  const { now } = request;
  const registry = folders.registry.read();
  const folder = folderNamed(folders, request, registry);
  if (!folder.ok) return folder;
  const facts = folder.value;
  const rule = loadConfig(folders.config()).config.get('identity');
  const project = resolveProject(facts, registry.projects, { rule, md5: folders.md5, exists: (path) => folders.exists(path) });
  if (request.name !== undefined && facts.gone === true && project.match === 'new')
    return refuse('NOT_FOUND', `There is no folder ${facts.path}, and no project that lay there.`, {
      hint: 'check the path; holdfast workspace lists the projects',
    });
  const privateRoot = folders.privateRoot(project.key);
  const sharedRoot = 'gone' in facts ? undefined : folders.sharedRoot(project.worktree);
  const config = folders.config({ key: project.key, checkout: sharedRoot === undefined ? undefined : project.worktree });
  const register = async (): Promise<void> => {
    if (isRegistryDue(registry, project, now())) await folders.registry.update((current) => rememberProject(current, project, facts, now()));
  };
  // Not spread: that would compute the hash, which is rarely needed.
  return ok({
    config,
    register,
    facts,
    project: Object.assign(project, { privateRoot, ...(sharedRoot !== undefined && { sharedRoot }) }),
  });
}

/** The project of a folder, if memory is on there. */
export function locateIfOn(folders: ProjectFolders, request: LocateRequest): LocatedProject | undefined {
  const located = locateProject(folders, request);
  if (!located.ok) return undefined;
  const { project, config } = located.value;
  const loaded = loadConfig(config);
  return switchOf(loaded.config, isStarted(folders.sessionText(project.privateRoot))).on ? { ...located.value, loaded } : undefined;
}

/** Opens projects by key. One whose folder cannot be read is left out with a note, so that the others can still be read. */
export async function openReadable<T>(keys: readonly string[], open: (key: string) => Promise<T>, note: (text: string) => void): Promise<readonly T[]> {
  const opening = keys.map(async (key) => {
    try {
      return [await open(key)];
    } catch (cause) {
      if (!isFailure(cause) || cause.code !== 'READ_ERROR') throw cause;
      note(`note ${key} is left out. ${cause.message}`);
      return [];
    }
  });
  return (await Promise.all(opening)).flat();
}
