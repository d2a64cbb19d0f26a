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
  readonly word?: string | undefined;
  readonly now: Clock;
}

/** A project that was found and is not opened yet: hooks that are switched off look no further. */
export interface LocatedProject {
  readonly project: Project & { readonly privateRoot: string; readonly sharedRoot?: string };
  readonly config: ConfigFiles;
  /** The settings, where they were read already. */
  readonly loaded?: LoadedConfig;
  /** Facts about its folder; absent if no folder was examined. */
  readonly facts?: FolderFacts;
  /** Enters the project into the registry, if it is not there as it is now. */
  remember(): Promise<void>;
}

/** Folder that a word given as `--project` stands for: a path as it is, a key or hash by the registry. */
function folderOf(folders: ProjectFolders, { cwd, word }: LocateRequest, registry: Registry): Result<FolderFacts> {
  if (word === undefined) return ok(folders.facts(cwd));
  const asPath = folders.resolve(cwd, word);
  if (/[/\\]/.test(word) || word === '.' || word === '..') return ok(folders.facts(asPath));
  const known = findProject(word, registry.projects, folders.md5);
  if (!known.ok) return folders.isFolder(asPath) ? ok(folders.facts(asPath)) : known;
  const { path } = known.value;
  // A project that is only a name here, or a folder of another machine, is where the registry says and nowhere else.
  return ok(folders.isAbsolute(path) ? folders.facts(path) : { path, gone: true });
}

/** Finds the project that a folder or a word stands for, and where its settings lie. */
export function locateProject(folders: ProjectFolders, request: LocateRequest): Result<LocatedProject> {
  const { now } = request;
  const registry = folders.registry.read();
  const folder = folderOf(folders, request, registry);
  if (!folder.ok) return folder;
  const facts = folder.value;
  const rule = loadConfig(folders.config()).config.get('identity');
  const project = resolveProject(facts, registry.projects, { rule, md5: folders.md5, exists: (path) => folders.exists(path) });
  if (request.word !== undefined && facts.gone === true && project.found === 'new')
    return refuse('NOT_FOUND', `There is no folder ${facts.path}, and no project that lay there.`, {
      hint: 'check the path; holdfast workspace lists the projects',
    });
  const privateRoot = folders.privateRoot(project.key);
  const sharedRoot = 'gone' in facts ? undefined : folders.sharedRoot(project.worktree);
  const config = folders.config({ key: project.key, checkout: sharedRoot === undefined ? undefined : project.worktree });
  const remember = async (): Promise<void> => {
    if (isRegistryDue(registry, project, now())) await folders.registry.update((current) => rememberProject(current, project, facts, now()));
  };
  // Not spread: that would work out the hash, which few ask for.
  return ok({
    config,
    remember,
    facts,
    project: Object.assign(project, { privateRoot, ...(sharedRoot !== undefined && { sharedRoot }) }),
  });
}

/** The project of a folder, if memory is on there; where it is off, a hook opens nothing. */
export function locateIfOn(folders: ProjectFolders, request: LocateRequest): LocatedProject | undefined {
  const located = locateProject(folders, request);
  if (!located.ok) return undefined;
  const { project, config } = located.value;
  const loaded = loadConfig(config);
  return switchOf(loaded.config, isStarted(folders.sessionText(project.privateRoot))).on ? { ...located.value, loaded } : undefined;
}

/** Opens projects by key. One whose folder cannot be read is left out and named: it must not keep the others from their reader. */
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
