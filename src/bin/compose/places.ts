import { join } from 'node:path';

/** Where everything lies under a home. Nothing of Holdfast's own state lies under projects/, which the client sweeps. */
export const placesIn = (home: string) => ({
  // Joined when it is asked for: a search asks for three of them.
  get settings() {
    return join(home, 'settings.json');
  },
  get registry() {
    return join(home, 'holdfast', 'registry.json');
  },
  get workspace() {
    return join(home, 'workspace.md');
  },
  get userRoot() {
    return join(home, 'user');
  },
  get userState() {
    return join(home, 'holdfast', 'user');
  },
  privateRoot: (key: string): string => join(home, 'projects', key),
  get hooks() {
    return join(home, 'holdfast', 'hooks');
  },
  /** What the next session in a folder is told, a file a folder. */
  get ahead() {
    return join(home, 'holdfast', 'ahead');
  },
  /** Sessions that a server knows of, a file each that names its process. */
  get served() {
    return join(home, 'holdfast', 'served');
  },
  /** Sessions that a server has yet to tell what is remembered, how each started. */
  get owed() {
    return join(home, 'holdfast', 'owed');
  },
  /** Drafts and context files of agents, a folder a session. */
  get staging() {
    return join(home, 'holdfast', 'staging');
  },
  /** What was read of which transcript. */
  get sources() {
    return join(home, 'holdfast', 'sources.db');
  },
  state: (key: string): string => join(home, 'holdfast', 'projects', key),
});

export const sharedRootIn = (worktree: string): string => join(worktree, '.claude', 'memory');

/** What a project's conversations are found by, in its state. */
export const EPISODES_FILE = 'episodes.db';
/** Vectors of records and documents; there once somebody has had them made. */
export const VECTORS_FILE = 'vectors-items.db';
/** Where their text is kept, in its state. */
export const ARCHIVE_FOLDER = 'episodes';
/** What was put before agents, in a project's state. */
export const INJECTIONS_FILE = 'injections.db';

export const CONFIG_NAME = 'memory-config.json';
