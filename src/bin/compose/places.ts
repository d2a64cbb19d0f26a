import path from 'node:path';

/** Where everything lies under a home. Nothing of Holdfast's own state lies under projects/, which the client sweeps. */
export const placesIn = (home: string) => ({
  settings: path.join(home, 'settings.json'),
  registry: path.join(home, 'holdfast', 'registry.json'),
  userRoot: path.join(home, 'user'),
  userState: path.join(home, 'holdfast', 'user'),
  privateRoot: (key: string): string => path.join(home, 'projects', key),
  state: (key: string): string => path.join(home, 'holdfast', 'projects', key),
});

export const sharedRootIn = (worktree: string): string => path.join(worktree, '.claude', 'memory');

export const CONFIG_NAME = 'memory-config.json';
