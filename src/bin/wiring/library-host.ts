import { basename, dirname, join } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { CONFIG_NAME, placesIn } from '../../adapters/files/home-layout.ts';
import { loadConfig } from '../../app/config/load.ts';
import { openMemoryFiles } from '../../app/memory-files/open.ts';
import type { Config } from '../../core/config/effective.ts';
import { ok } from '../../core/result.ts';
import type { LibraryHost } from '../../edges/library/host.ts';
import { nearbyFor, openOnce } from '../../app/embedding/nearby.ts';
import { bundlesOf } from '../../app/bundle/bundles.ts';
import { openProject, openUser } from '../../app/project/open.ts';
import { openRecallContext } from '../../app/runtime/open-recall.ts';
import { type ProjectMessages, rankWithMessages } from '../../app/search/messages.ts';
import { searchPlace } from '../../app/search/place.ts';
import { homeFolder } from '../../adapters/process/environment.ts';
import { bundleHost } from './bundles.ts';
import { openEpisodes } from './episodes.ts';
import { openMessages } from './messages.ts';
import { openLayerFiles } from './project-files.ts';
import { sessionMachineAt } from './session-machine.ts';

const settingsIn = (home: string, projectFolder?: string): Config =>
  loadConfig(configFiles({ user: placesIn(home).settings, ...(projectFolder !== undefined && { project: join(projectFolder, CONFIG_NAME) }) })).config;

export const libraryHost: LibraryHost = {
  layerFiles: openLayerFiles,
  settingsIn,
  settingsFor: (memoryFile) => {
    const project = dirname(dirname(memoryFile));
    // A file outside projects/, such as the global one, has its settings beside it.
    if (basename(dirname(project)) !== 'projects') return loadConfig(configFiles({ user: join(dirname(memoryFile), 'settings.json') })).config;
    return settingsIn(dirname(dirname(project)), project);
  },
  openProject: (options) => {
    const { env } = process;
    const cwd = process.cwd();
    const home = homeFolder({ option: options.home, env });
    const machine = sessionMachineAt({ home, env, now: options.now });
    const { now } = machine;
    const opened = openProject(machine, { cwd, name: options.project });
    if (!opened.ok) return opened;
    const { memory, project } = opened.value;
    const messages = (key: string): ProjectMessages => openMessages(home, key);
    const closers: (() => Promise<void>)[] = [];
    const nearby = nearbyFor({ open: openOnce(async () => (await import('./embedding.ts')).openEmbeddingIn({ home, env, urgent: true }), closers) });
    const { recallContext, close } = openRecallContext(machine, opened.value, {}, rankWithMessages(messages, nearby));
    const place = searchPlace({ memory, openMessages: async (key) => messages(key), log: recallContext.log });
    const episodes = openEpisodes({ home, homeNamed: options.home !== undefined, projectNamed: true, env, now, current: async () => project });
    return ok({
      home,
      memory,
      project,
      recallContext,
      searchPlace: { ...place, ...nearby(memory) },
      episodes,
      bundles: bundlesOf(bundleHost({ home, cwd, now, current: () => opened.value, episodes: async () => episodes })),
      openUser: () => openUser(machine),
      openMemoryFiles: () => openMemoryFiles(memory, project.path, openLayerFiles(home)),
      close: async () => {
        place.close();
        for (const closer of closers) await closer();
        await episodes.close();
        await close();
        await opened.value.close();
      },
    });
  },
};
