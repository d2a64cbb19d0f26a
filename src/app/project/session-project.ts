import type { SessionFacts } from '../../core/episode/episode.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { ProjectFolders } from '../../core/ports/project.ts';
import type { FolderFacts } from '../../core/project/folder.ts';
import { normalRemote, remoteOf, tidyPath } from '../../core/project/folder.ts';
import { resolveProject, type Project } from '../../core/project/identity.ts';
import { type Registry, type RegistryEntry, withName } from '../../core/project/registry.ts';
import { isRegistryDue, rememberProject } from '../../core/project/identity.ts';
import { loadConfig } from '../config/load.ts';
import { NO_TRACE, type RepositoryTrace } from './repository-trace.ts';

/** What capturing a session needs of its project. */
export interface EpisodeProject {
  readonly key: string;
  /** Its folder, which globs are relative to. */
  readonly folder?: string;
  /** Its settings `capture.exclude` and `archive.maxBytes`. */
  readonly exclude: readonly string[];
  readonly archiveBytes: number;
}

export interface EpisodeProjects {
  /** The project of a session, by the facts in its transcript. */
  of(facts: SessionFacts, source: string): Promise<EpisodeProject>;
  byKey(key: string): Promise<EpisodeProject>;
  /** The project on this machine whose repository shows in the conversations of another project; the trace is read only if there is one to compare. */
  cloneOf(key: string, trace: () => RepositoryTrace): Promise<string | undefined>;
}

/** The parts of the machine that are used to find a session's project. */
export interface SessionProjectHost {
  readonly folders: ProjectFolders;
  readonly now: Clock;
  /** Folder or name of the project for sessions that name none. */
  readonly fallback: () => Promise<string>;
  /** Whether all sessions belong to that project, whatever they name. */
  readonly forced: boolean;
  readonly sha256: (text: string) => string;
  /** The folder that a note beside Gemini's chats names. */
  readonly geminiFolder: (transcript: string) => string | undefined;
  /** Whether the repository of a folder has a commit, by the beginning of its id. */
  readonly holdsCommit: (folder: string, id: string) => boolean;
}

const MAX_RETRIES = 4;
/** Words with another meaning in place of a project. */
const RESERVED_NAMES = new Set(['all', 'user']);
const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Finds the projects of sessions, and registers those that are new. */
export function sessionProjects({ folders, now, fallback, forced, sha256, geminiFolder, holdsCommit }: SessionProjectHost): EpisodeProjects {
  const { registry: registryFile, md5 } = folders;
  const user = loadConfig(folders.config()).config;
  const keyByName = new Map<string, string>();
  const settings = new Map<string, EpisodeProject>();

  const identify = (name: string, registry: Registry): { readonly project: Project; readonly facts: FolderFacts } => {
    const isPath = folders.isAbsolute(name) || /^([A-Za-z]:)?[\\/]/.test(name);
    const facts = isPath ? factsOf(folders, projectOfWorktree(folders, name)) : namedFacts(name);
    const context = { rule: user.get('identity'), md5, exists: (path: string) => folders.exists(path) };
    if (isPath) return { facts, project: resolveProject(facts, registry.projects, context) };
    return { facts, project: namedProject(name, registry.projects) ?? resolveProject(facts, registry.projects, context) };
  };

  const keyOf = async (name: string, remote?: string): Promise<string> => {
    for (let left = MAX_RETRIES; ; left--) {
      const registry = registryFile.read();
      const clone = remote === undefined || folders.exists(name) ? [] : withName(registry.projects, (entry) => entry.remote === remote);
      if (clone[0] !== undefined) return clone[0].key;
      const { project, facts } = identify(name, registry);
      try {
        if (isRegistryDue(registry, project, now())) await registryFile.update((current) => rememberProject(current, project, facts, now()));
        return project.key;
      } catch (cause) {
        // Another import has registered the same project at the same moment.
        if (left === 0 || !isFailure(cause)) throw cause;
      }
    }
  };

  /** The name that a session gives its project. Gemini gives a digest of the folder's path, which a note beside its chats or a known project spells out. */
  const projectName = ({ project }: SessionFacts, source: string): string | undefined => {
    if (project === undefined || !isHash(project)) return project;
    const folder = geminiFolder(source);
    if (folder !== undefined) return folder;
    const paths = registryFile.read().projects.flatMap((entry) => entry.paths);
    return paths.find((path) => sha256(path) === project) ?? `gemini-${project.slice(0, 12)}`;
  };

  return {
    of: async (facts, source) => {
      const name = (forced ? undefined : projectName(facts, source)) ?? (await fallback());
      const key = keyByName.get(name) ?? (await keyOf(name, forced ? undefined : normalRemote(facts.remote ?? '')));
      keyByName.set(name, key);
      return settingsOf(key);
    },
    byKey: async (key) => settingsOf(key),
    cloneOf: async (key, trace) => {
      const paths = new Set([
        ...registryFile
          .read()
          .projects.filter((entry) => entry.key !== key)
          .map(({ path }) => path),
        await fallback(),
      ]);
      const localFolders = [...paths].filter((path) => folders.isAbsolute(path) && folders.exists(path)).map((path) => folders.facts(path));
      const repositories = localFolders.filter(({ gitCommonDir, unconfirmed }) => gitCommonDir !== undefined && unconfirmed !== true);
      const { remotes, commits } = repositories.length === 0 ? NO_TRACE : trace();
      const clone =
        repositories.find((facts) => remotes.has(remoteOf(facts) ?? '')) ?? repositories.find(({ path }) => commits.some((id) => holdsCommit(path, id)));
      const other = clone && (await keyOf(clone.path));
      const separated = registryFile.read().projects.find((entry) => entry.key === key)?.apartFrom ?? [];
      return other !== undefined && separated.includes(other) ? undefined : other;
    },
  };

  function settingsOf(key: string): EpisodeProject {
    const known = settings.get(key) ?? readSettings(key);
    settings.set(key, known);
    return known;
  }

  function readSettings(key: string): EpisodeProject {
    const path = registryFile.read().projects.find((entry) => entry.key === key)?.path;
    const checkout = path !== undefined && folders.isAbsolute(path) && folders.exists(path) ? path : undefined;
    const { config, unreadable } = loadConfig(folders.config({ key, checkout }));
    // They may exclude files from capture.
    const own = unreadable.find(({ level }) => level !== 'shared');
    if (own)
      throw new Failure('READ_ERROR', `The settings of ${key} cannot be read: ${own.message}`, { hint: 'fix the file; the next import takes these sessions' });
    return { key, exclude: config.get('capture.exclude'), archiveBytes: config.get('archive.maxBytes'), ...(path !== undefined && { folder: path }) };
  }
}

const WORKTREE = /^(.+?)[\\/]\.(?:claude[\\/])?worktrees[\\/][^\\/]+(?:[\\/].*)?$/;

/** The folder of the project in which a client made a worktree that does not exist here. */
const projectOfWorktree = (folders: ProjectFolders, path: string): string =>
  folders.isAbsolute(path) && folders.exists(path) ? path : (WORKTREE.exec(path)?.[1] ?? path);

/** Facts of a folder on this machine; only the path of one that is gone or on another machine. */
function factsOf(folders: ProjectFolders, path: string): FolderFacts {
  if (!folders.isAbsolute(path)) return { path: tidyPath(path) };
  const { gone, ...facts } = folders.facts(path);
  return gone === true && facts.gitCommonDir === undefined ? { path: facts.path } : { ...facts, ...(gone === true && { gone }) };
}

const namedFacts = (name: string): FolderFacts => ({ path: RESERVED_NAMES.has(name.toLowerCase()) ? `${name}-project` : tidyPath(name) });

/** The registered project of this name. */
function namedProject(name: string, entries: readonly RegistryEntry[]): Project | undefined {
  const [entry] = withName(entries, ({ key, paths }) => key === name.toLowerCase() || paths.includes(name));
  return entry && { key: entry.key, hash: entry.hash, identity: entry.identity, path: entry.path, worktree: entry.path, match: 'known' };
}
