import { join } from 'node:path';

/** Where everything lies under a home. Nothing of Holdfast's own state lies under projects/, which the client sweeps. */
export const placesIn = (home: string) => ({
  settings: join(home, 'settings.json'),
  registry: join(home, 'holdfast', 'registry.json'),
  workspace: join(home, 'workspace.md'),
  userRoot: join(home, 'user'),
  userState: join(home, 'holdfast', 'user'),
  privateRoot: (key: string): string => join(home, 'projects', key),
  hooks: join(home, 'holdfast', 'hooks'),
  /** What the next session in a folder is told, a file a folder. */
  ahead: join(home, 'holdfast', 'ahead'),
  /** Drafts and context files of agents, a folder a session. */
  staging: join(home, 'holdfast', 'staging'),
  /** What was read of which transcript. */
  sources: join(home, 'holdfast', 'sources.db'),
  state: (key: string): string => join(home, 'holdfast', 'projects', key),
});

export const sharedRootIn = (worktree: string): string => join(worktree, '.claude', 'memory');

/** What a project's conversations are found by, in its state. */
export const EPISODES_FILE = 'episodes.db';
/** Where their text is kept, in its state. */
export const ARCHIVE_FOLDER = 'episodes';
/** What was put before agents, in a project's state. */
export const INJECTIONS_FILE = 'injections.db';

export const CONFIG_NAME = 'memory-config.json';
