import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFolder } from '../../adapters/episodes/archive.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import { SqliteSources } from '../../adapters/sqlite/episodes/sources.ts';
import { SqliteEpisodes } from '../../adapters/sqlite/episodes/writer.ts';
import type { OpenedStore } from '../../app/episodes/batch-writer.ts';
import { type EpisodeStores, openedStore } from '../../app/episodes/store.ts';
import { md5 } from './environment.ts';

/** Opens the episodes of a project. */
export function openStore(home: string, key: string): OpenedStore {
  const state = placesIn(home).state(key);
  const index = new SqliteEpisodes(join(state, EPISODES_FILE));
  return openedStore({ index, archive: new ArchiveFolder(join(state, ARCHIVE_FOLDER)), md5 }, () => index.close());
}

export const openSources = (home: string): SqliteSources => new SqliteSources(placesIn(home).sources);

/** The episodes of all projects under a home. */
export const episodeStores = (home: string): EpisodeStores => ({
  has: (key) => {
    const state = placesIn(home).state(key);
    return existsSync(join(state, EPISODES_FILE)) || existsSync(join(state, ARCHIVE_FOLDER));
  },
  open: (key) => openStore(home, key),
  keys: () => {
    const folder = placesIn(home).state('');
    return existsSync(folder) ? readdirSync(folder) : [];
  },
});
