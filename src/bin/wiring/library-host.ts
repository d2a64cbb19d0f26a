import { basename, dirname, join } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { CONFIG_NAME, placesIn } from '../../adapters/files/home-layout.ts';
import { loadConfig } from '../../app/config/load.ts';
import { openMemoryFiles } from '../../app/memory-files/open.ts';
import type { Config } from '../../core/config/effective.ts';
import { ok } from '../../core/result.ts';
import type { LibraryHost } from '../../edges/library/host.ts';
import { openEpisodes } from './open-episodes.ts';
import { openProject, openUser } from './open-project.ts';
import { recallContextFor } from './open-recall.ts';
import { rankWithMessages } from './open-messages.ts';
import { searchPlace } from './search-place.ts';
import { homeFolder } from './environment.ts';
import { openBundles } from './open-bundles.ts';
import { openLayerFiles } from './open-memory-files.ts';
import { searchNearby } from './search-place.ts';

const settingsIn = (home: string, projectFolder?: string): Config =>
  loadConfig(configFiles({ user: placesIn(home).settings, ...(projectFolder !== undefined && { project: join(projectFolder, CONFIG_NAME) }) })).config;

export const libraryHost: LibraryHost = {
  layerFiles: openLayerFiles,
  settingsIn,
  settingsFor: (memoryFile) => {
    const project = dirname(dirname(memoryFile));
    // A file that lies elsewhere, such as the global one, has its settings beside it.
    if (basename(dirname(project)) !== 'projects') return loadConfig(configFiles({ user: join(dirname(memoryFile), 'settings.json') })).config;
    return settingsIn(dirname(dirname(project)), project);
  },
  openProject: (options) => {
    const now = options.now ?? Date.now;
    const { env } = process;
    const cwd = process.cwd();
    const home = homeFolder({ option: options.home, env });
    const opened = openProject({ home, cwd, word: options.project, now });
    if (!opened.ok) return opened;
    const { memory, project } = opened.value;
    const { recallContext, close } = recallContextFor(opened.value, { home, now }, rankWithMessages);
    const closers: (() => Promise<void>)[] = [];
    const place = searchPlace(home, memory, (ids) => recallContext.log.feedbackOf(ids));
    const episodes = openEpisodes({ home, homeNamed: options.home !== undefined, projectNamed: true, env, now, current: async () => project });
    return ok({
      home,
      memory,
      project,
      recallContext,
      searched: { ...place, ...searchNearby({ home: () => home, env, closers })(memory) },
      episodes,
      bundles: openBundles({ home, cwd, now, current: () => opened.value, episodes: async () => episodes }),
      openUser: () => openUser({ home, now }),
      openMemoryFiles: () => openMemoryFiles(memory, project.path, openLayerFiles(home)),
      close: async () => {
        place.close();
        for (const one of closers) await one();
        await episodes.close();
        await close();
        await opened.value.close();
      },
    });
  },
};
