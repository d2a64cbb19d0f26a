import { join } from 'node:path';
import { EPISODES_FILE, INJECTIONS_FILE, MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';
import { HomeTexts } from '../../adapters/files/text-sweep.ts';
import { forgetInjections, forgetVectors, textsOfDatabase } from '../../adapters/sqlite/forget-text.ts';
import { removeIndex } from '../../adapters/sqlite/open.ts';
import { itemKey } from '../../app/embedding/embed.ts';
import type { ExcludedHost } from '../../app/episodes/excluded.ts';
import { forgetInEpisodes } from '../../app/episodes/excluded.ts';
import type { TextSweep } from '../../core/ports/text-sweep.ts';
import { episodeStores, openSources } from './episode-stores.ts';

const removeMessageVectors = (home: string, key: string): void => removeIndex(join(placesIn(home).state(key), MESSAGE_VECTORS_FILE));

/** What taking excluded messages out of the archive works on. */
export const excludedHost = (home: string): ExcludedHost => ({
  stores: episodeStores(home),
  openSources: () => openSources(home),
  removeVectors: (key) => removeMessageVectors(home, key),
});

/** Puts together what finds and takes out text under a home. */
export function openSweep(home: string): TextSweep {
  const places = placesIn(home);
  const stores = episodeStores(home);
  const files = new HomeTexts(home, { texts: textsOfDatabase });
  return {
    find: async (text) => files.find(text),
    clean: async (text, { ids, places: records }) => {
      for (const key of files.projects().filter((name) => stores.has(name))) {
        const { store, close } = stores.open(key);
        const isIndexed = (): boolean => textsOfDatabase(join(places.state(key), EPISODES_FILE)).some((held) => text.isIn(held));
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
