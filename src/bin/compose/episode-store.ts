import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFolder } from '../../adapters/episodes/archive.ts';
import { SqliteSources } from '../../adapters/sqlite/episodes/sources.ts';
import { SqliteEpisodes } from '../../adapters/sqlite/episodes/writer.ts';
import type { OpenedStore } from '../../app/episodes/batch-writer.ts';
import { remake } from '../../app/episodes/keep.ts';
import { md5 } from '../wiring/environment.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../../adapters/files/home-layout.ts';

/** Opens the episodes of a project; an index that is lost is made again from the archive first. */
export function openStore(home: string, key: string): OpenedStore {
  const state = placesIn(home).state(key);
  const index = new SqliteEpisodes(join(state, EPISODES_FILE));
  const store = { index, archive: new ArchiveFolder(join(state, ARCHIVE_FOLDER)), md5 };
  try {
    return { store, remade: remake(store), close: () => index.close() };
  } catch (cause) {
    index.close();
    throw cause;
  }
}

/** Makes a lost index again from the archive. What was never archived comes back with the next import, which reads all transcripts once more. */
export function remakeStore(home: string, key: string): void {
  const sources = new SqliteSources(placesIn(home).sources);
  try {
    sources.forget();
    openStore(home, key).close();
  } finally {
    sources.close();
  }
}

/** Whether a project has any episodes: looking must not make a database. */
export function hasEpisodes(home: string, key: string): boolean {
  const state = placesIn(home).state(key);
  return existsSync(join(state, EPISODES_FILE)) || existsSync(join(state, ARCHIVE_FOLDER));
}
