import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { CONFIG_NAME, placesIn, SHARED_PATH, sharedRootIn } from '../../adapters/files/home-layout.ts';
import { findOutside } from '../../adapters/files/outside/path.ts';
import { RegistryFile } from '../../adapters/files/registry.ts';
import { folderFacts } from '../../adapters/git/repository.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { loadConfig } from '../../app/config/load.ts';
import { OLD_LAYOUT_MARK } from '../../app/migrate/source.ts';
import { switchOf } from '../../app/project/switch.ts';
import type { ConfigFiles } from '../../core/config/effective.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { FolderFacts } from '../../core/project/folder.ts';
import { type Project, resolveProject, isRegistryDue, rememberProject } from '../../core/project/identity.ts';
import { findProject, type Registry } from '../../core/project/registry.ts';
import { ok, type Result } from '../../core/result.ts';
import { md5 } from './environment.ts';

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

export interface ProjectRequest {
  readonly home: string;
  readonly cwd: string;
  /** Path, key or hash; the working folder without it. */
  readonly word?: string | undefined;
  readonly now: Clock;
}

/** A project that was found and is not opened yet: hooks that are switched off look no further. */
export interface LocatedProject {
  readonly project: Project & { readonly privateRoot: string; readonly sharedRoot?: string };
  readonly config: ConfigFiles;
  /** Enters the project into the registry, if it is not there as it is now. */
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
  const isOurs = findOutside(project.worktree, SHARED_PATH).ok && !existsSync(join(shared, OLD_LAYOUT_MARK));
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

/** Whether a project stands between start and stop, as its session file says. */
export function isStarted(privateRoot: string): boolean {
  const file = join(privateRoot, '_session.json');
  // Most projects have none, and being told so by an exception costs more than looking.
  if (!existsSync(file)) return false;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null && 'active' in value && value.active === true;
  } catch {
    return false;
  }
}

/** The project of a folder, if memory is on there; where it is off, a hook opens nothing. */
export function locateOn(cwd: string, { home, now }: Pick<ProjectRequest, 'home' | 'now'>): LocatedProject | undefined {
  const located = locateProject({ home, cwd, now });
  if (!located.ok) return undefined;
  const { project, config } = located.value;
  return switchOf(loadConfig(config).config, isStarted(project.privateRoot)).on ? located.value : undefined;
}
