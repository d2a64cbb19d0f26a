import { join } from 'node:path';

/** The paths under a home. Holdfast keeps no state of its own under projects/, because the client deletes old files there. */
export function placesIn(home: string) {
  const own = (...names: readonly string[]): string => join(home, 'holdfast', ...names);
  return {
    // Getters, because a search needs only three of these paths.
    get settings() {
      return join(home, 'settings.json');
    },
    get registry() {
      return own('registry.json');
    },
    get workspace() {
      return join(home, 'workspace.md');
    },
    get userRoot() {
      return join(home, 'user');
    },
    get userState() {
      return own('user');
    },
    privateRoot: (key: string): string => join(home, 'projects', key),
    get projects() {
      return join(home, 'projects');
    },
    /** All of Holdfast's own state. */
    get ownState() {
      return own();
    },
    get hooks() {
      return own('hooks');
    },
    /** Drafts and context files of agents, a folder a session. */
    get staging() {
      return own('staging');
    },
    /** What model calls have used, by day. */
    get tokens() {
      return own('tokens');
    },
    /** The sentence model of `embed setup`, and why it last failed. */
    get embedder() {
      return own('embedder');
    },
    /** The working folder of a headless client, so that its conversations belong to no project. */
    get headlessClient() {
      return own('client');
    },
    /** How far each transcript was read. */
    get sources() {
      return own('sources.db');
    },
    state: (key: string): string => own('projects', key),
  };
}

/** The folder of a project's shared memory in its checkout. */
export const SHARED_PATH = '.claude/memory';

export const sharedRootIn = (worktree: string): string => join(worktree, '.claude', 'memory');

/** The index of a project's conversations, in its state folder. */
export const EPISODES_FILE = 'episodes.db';
/** Vectors of records and documents, once `embed` has run. */
export const VECTORS_FILE = 'vectors-items.db';
export const MESSAGE_VECTORS_FILE = 'vectors-messages.db';
/** The archive of their text, in a project's state folder. */
export const ARCHIVE_FOLDER = 'episodes';
/** The log of injections, in a project's state folder. */
export const INJECTIONS_FILE = 'injections.db';

export const CONFIG_NAME = 'memory-config.json';

/** Files that change when injections or conversations of a project come in, or a setting changes; without a project, the user's settings. */
export function changingFiles(home: string, project?: { readonly key: string; readonly path: string }): string[] {
  const places = placesIn(home);
  if (!project) return [places.settings];
  const databases = [INJECTIONS_FILE, EPISODES_FILE].map((name) => join(places.state(project.key), name));
  const configs = [places.privateRoot(project.key), sharedRootIn(project.path)].map((folder) => join(folder, CONFIG_NAME));
  return [places.settings, ...configs, ...databases.flatMap((file) => [file, `${file}-wal`])];
}
