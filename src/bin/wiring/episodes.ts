import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFolder } from '../../adapters/episodes/archive.ts';
import { transcriptFinder, transcriptsOf } from '../../adapters/episodes/client-transcripts.ts';
import { lowBytes, transcriptFiles } from '../../adapters/episodes/lines.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, INJECTIONS_FILE, MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';
import { holdsCommit } from '../../adapters/git/lookup.ts';
import { geminiProject } from '../../adapters/files/outside/own.ts';
import { HomeTexts } from '../../adapters/files/text-sweep.ts';
import { md5, sha256, userHome } from '../../adapters/process/environment.ts';
import type { Clock, Environment } from '../../core/ports/host.ts';
import { threadWriter } from '../../adapters/process/import-thread.ts';
import { sessionDatabases } from '../../adapters/sqlite/episodes/session-databases.ts';
import { SqliteSources } from '../../adapters/sqlite/episodes/sources.ts';
import { SqliteEpisodes } from '../../adapters/sqlite/episodes/writer.ts';
import { forgetInjections, forgetVectors, textsOfDatabase } from '../../adapters/sqlite/forget-text.ts';
import { removeIndex } from '../../adapters/sqlite/open.ts';
import { itemKey } from '../../app/embedding/embed.ts';
import type { OpenedStore } from '../../app/episodes/batch-writer.ts';
import { type ExcludedHost, forgetInEpisodes } from '../../app/episodes/excluded.ts';
import { EpisodesService } from '../../app/episodes/service.ts';
import { type EpisodeStores, knownFirst, openWithIndex, rebuildStore } from '../../app/episodes/store.ts';
import { type EpisodeProjects, type SessionProjectHost, sessionProjects } from '../../app/project/session-project.ts';
import type { TextSweep } from '../../core/ports/text-sweep.ts';
import { machineAt } from './machine.ts';

/** Opens the episodes of a project. */
export function openStore(home: string, key: string): OpenedStore {
  const state = placesIn(home).state(key);
  const index = new SqliteEpisodes(join(state, EPISODES_FILE));
  return openWithIndex({ index, archive: new ArchiveFolder(join(state, ARCHIVE_FOLDER)), md5 }, () => index.close());
}

const openSources = (home: string): SqliteSources => new SqliteSources(placesIn(home).sources);

/** The episodes of all projects under a home. */
const episodeStores = (home: string): EpisodeStores => ({
  has: (key) => [EPISODES_FILE, ARCHIVE_FOLDER].some((name) => existsSync(join(placesIn(home).state(key), name))),
  open: (key) => openStore(home, key),
  keys: () => (existsSync(placesIn(home).state('')) ? knownFirst(readdirSync(placesIn(home).state('')), machineAt({ home }).folders.registry.read()) : []),
});

/** Rebuilds the message index of a project from its archive. */
export const remakeMessages = (home: string, key: string): void => rebuildStore(episodeStores(home), () => openSources(home), key);

export interface EpisodesRequest {
  readonly home: string;
  /** Whether options name the home and the project. */
  readonly homeNamed: boolean;
  readonly projectNamed: boolean;
  readonly env: Environment;
  readonly now: Clock;
  /** The current project, found when it is first needed. */
  readonly current: () => Promise<{ readonly key: string; readonly path: string }>;
}

/** The conversations under one home, with real transcripts and databases. */
export function openEpisodes({ home, homeNamed, projectNamed, env, now, current }: EpisodesRequest): EpisodesService {
  return new EpisodesService({
    now,
    stores: episodeStores(home),
    openSources: () => openSources(home),
    projects: (forced) => episodeProjects({ home, now, forced, fallback: async () => (await current()).path }),
    transcripts: transcriptsOf(transcriptFiles, sessionDatabases),
    finder: transcriptFinder(() => ({ home, userHome: userHome(), env, named: homeNamed }), sessionDatabases),
    exists: existsSync,
    threadWriter: () => threadWriter(home),
    lowBytes,
    peakBytes: () => process.resourceUsage().maxRSS * 1_024,
    projectNamed,
    current,
  });
}

/** Finds the projects of sessions from their transcripts. */
export const episodeProjects = ({ home, ...host }: Pick<SessionProjectHost, 'now' | 'fallback' | 'forced'> & { readonly home: string }): EpisodeProjects => {
  const inRepository = (folder: string, id: string): boolean => holdsCommit(folder, id, process.env);
  return sessionProjects({ ...host, folders: machineAt({ home }).folders, sha256, geminiFolder: geminiProject, holdsCommit: inRepository });
};

const removeMessageVectors = (home: string, key: string): void => removeIndex(join(placesIn(home).state(key), MESSAGE_VECTORS_FILE));

/** The stores from which excluded messages are removed. */
export const excludedHost = (home: string): ExcludedHost => ({
  stores: episodeStores(home),
  openSources: () => openSources(home),
  removeVectors: (key) => removeMessageVectors(home, key),
});

/** Finds and removes text under a home. */
export function openSweep(home: string): TextSweep {
  const places = placesIn(home);
  const stores = episodeStores(home);
  const files = new HomeTexts(home, { texts: textsOfDatabase });
  return {
    find: async (text) => files.find(text),
    clean: async (text, { ids, places: records }) => {
      for (const key of files.projects().filter((name) => stores.has(name))) {
        const { store, close } = stores.open(key);
        const isIndexed = (): boolean => textsOfDatabase(join(places.state(key), EPISODES_FILE)).some((stored) => text.isIn(stored));
        const isChanged = await forgetInEpisodes(store, text, isIndexed).finally(close);
        if (isChanged) removeMessageVectors(home, key);
      }
      for (const state of [places.userState, ...files.projects().map((key) => places.state(key))]) {
        forgetInjections(join(state, INJECTIONS_FILE), ids, text);
        forgetVectors(join(state, VECTORS_FILE), records.map(itemKey));
      }
      files.clean(text);
    },
    cleanTranscripts: async (text) => files.cleanTranscripts(text),
  };
}
