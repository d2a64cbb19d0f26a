import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { ownText } from '../../adapters/files/outside/own.ts';
import { RegistryFile } from '../../adapters/files/registry.ts';
import { folderFacts } from '../../adapters/git/repository.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { EpisodeProject, EpisodeProjects } from '../../app/episodes/peek.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { SessionFacts } from '../../core/episode/episode.ts';
import { isFailure } from '../../core/failure.ts';
import type { Clock } from '../../core/ports/host.ts';
import { type FolderFacts, tidyPath } from '../../core/project/folder.ts';
import { resolveProject, type Project, isRegistryDue, rememberProject } from '../../core/project/identity.ts';
import type { Registry, RegistryEntry } from '../../core/project/registry.ts';
import { md5 } from '../wiring/environment.ts';
import { CONFIG_NAME, placesIn, sharedRootIn } from '../../adapters/files/home-layout.ts';

export interface EpisodeProjectsRequest {
  readonly home: string;
  readonly now: Clock;
  /** Folder or name of the project for sessions that name none. */
  readonly fallback: () => Promise<string>;
  /** Whether all sessions go there, whatever they name. */
  readonly forced: boolean;
}

const TRIES = 4;
/** Words that stand for something else where a project is asked for. */
const TAKEN = new Set(['all', 'user']);
const isAnyAbsolute = (name: string): boolean => isAbsolute(name) || /^([A-Za-z]:)?[\\/]/.test(name);
const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Finds the projects of sessions, and registers those that are new. */
export function episodeProjects({ home, now, fallback, forced }: EpisodeProjectsRequest): EpisodeProjects {
  const places = placesIn(home);
  const registryFile = new RegistryFile(places.registry, openDatabase);
  const user = loadConfig(configFiles({ user: places.settings })).config;
  const found = new Map<string, string>();
  const settings = new Map<string, EpisodeProject>();

  const identify = (name: string, registry: Registry): { readonly project: Project; readonly facts: FolderFacts } => {
    const facts = isAnyAbsolute(name) ? factsOf(name) : namedFacts(name);
    const context = { rule: user.get('identity'), md5, exists: existsSync };
    if (isAnyAbsolute(name)) return { facts, project: resolveProject(facts, registry.projects, context) };
    return { facts, project: namedProject(name, registry.projects) ?? resolveProject(facts, registry.projects, context) };
  };

  const keyOf = async (name: string): Promise<string> => {
    for (let left = TRIES; ; left--) {
      const registry = registryFile.read();
      const { project, facts } = identify(name, registry);
      try {
        if (isRegistryDue(registry, project, now())) await registryFile.update((current) => rememberProject(current, project, facts, now()));
        return project.key;
      } catch (cause) {
        // Another import named the same project at the same moment: it is known now.
        if (left === 0 || !isFailure(cause)) throw cause;
      }
    }
  };

  return {
    of: async (facts, source) => {
      const name = (forced ? undefined : projectName(facts, source, registryFile)) ?? (await fallback());
      const key = found.get(name) ?? (await keyOf(name));
      found.set(name, key);
      return settingsOf(key);
    },
    byKey: async (key) => settingsOf(key),
  };

  function settingsOf(key: string): EpisodeProject {
    const known = settings.get(key) ?? readSettings(key);
    settings.set(key, known);
    return known;
  }

  function readSettings(key: string): EpisodeProject {
    const path = registryFile.read().projects.find((entry) => entry.key === key)?.path;
    const folder = path !== undefined && isAbsolute(path) && existsSync(path) ? path : undefined;
    const files = {
      user: places.settings,
      project: join(places.privateRoot(key), CONFIG_NAME),
      ...(folder !== undefined && { shared: join(sharedRootIn(folder), CONFIG_NAME) }),
    };
    const { config } = loadConfig(configFiles(files));
    return { key, exclude: config.get('capture.exclude'), archiveBytes: config.get('archive.maxBytes'), ...(path !== undefined && { folder: path }) };
  }
}

/** A folder of this machine by its repository; one that is gone, or of another machine, by its path alone. */
function factsOf(path: string): FolderFacts {
  if (!isAbsolute(path)) return { path: tidyPath(path) };
  const { gone, ...facts } = folderFacts(path, process.env);
  return gone === true && facts.gitCommonDir === undefined ? { path: facts.path } : { ...facts, ...(gone === true && { gone }) };
}

const namedFacts = (name: string): FolderFacts => ({ path: TAKEN.has(name.toLowerCase()) ? `${name}-project` : tidyPath(name) });

/** A name is the project that is called so already. */
function namedProject(name: string, entries: readonly RegistryEntry[]): Project | undefined {
  const entry = entries.find(({ key, paths }) => key === name.toLowerCase() || paths.includes(name));
  return entry && { key: entry.key, hash: entry.hash, identity: entry.identity, path: entry.path, worktree: entry.path, found: 'known' };
}

/** What a session calls its project. Gemini gives a digest of the folder's path, which a note beside its chats or a known project spells out. */
function projectName({ project }: SessionFacts, source: string, registryFile: RegistryFile): string | undefined {
  if (project === undefined || !isHash(project)) return project;
  const folder = dirname(dirname(source));
  const note = [folder, dirname(folder)].map((one) => join(one, '.project_root')).find((file) => existsSync(file));
  if (note !== undefined) return ownText(note, FILE_BYTES.settings)?.text.trim();
  const paths = registryFile.read().projects.flatMap((entry) => entry.paths);
  return paths.find((path) => createHash('sha256').update(path).digest('hex') === project) ?? `gemini-${project.slice(0, 12)}`;
}
