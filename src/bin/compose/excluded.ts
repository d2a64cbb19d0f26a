import { join } from 'node:path';
import { HomeTexts } from '../../adapters/files/text-sweep.ts';
import { SqliteSources } from '../../adapters/sqlite/episodes/sources.ts';
import { forgetInjections, forgetVectors, textsOfDatabase } from '../../adapters/sqlite/forget-text.ts';
import { removeIndex } from '../../adapters/sqlite/open.ts';
import { type ExcludedSession, findExcluded, removeExcluded, forgetInEpisodes } from '../../app/episodes/excluded.ts';
import { itemKey } from '../../app/embedding/embed.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import type { TextSweep } from '../../core/ports/text-sweep.ts';
import { hasEpisodes, openStore } from './episode-store.ts';
import { EPISODES_FILE, INJECTIONS_FILE, MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';

export interface ExcludedRequest {
  readonly home: string;
  readonly project: { readonly key: string; readonly path: string };
  readonly exclude: readonly string[];
  readonly remove: boolean;
}

/** What of a project's conversations was archived before it was excluded; taken out where asked. */
export async function excludedFrom({ home, project: { key, path }, exclude, remove }: ExcludedRequest): Promise<readonly ExcludedSession[]> {
  if (exclude.length === 0 || !hasEpisodes(home, key)) return [];
  const { store, close } = openStore(home, key);
  try {
    const excluding = (): Exclusion => new Exclusion(exclude, path);
    const found = findExcluded(store, excluding);
    if (!remove || found.length === 0) return found;
    // What the archive gave up comes back with the next import, from transcripts that are still there.
    if (store.index.sessions(-1).some(({ dropped }) => dropped)) forgetSources(home);
    const removed = await removeExcluded(store, excluding);
    // They stand for texts by numbers that are others now, and some of those texts are gone.
    removeIndex(join(placesIn(home).state(key), MESSAGE_VECTORS_FILE));
    return removed;
  } finally {
    close();
  }
}

function forgetSources(home: string): void {
  const sources = new SqliteSources(placesIn(home).sources);
  sources.forget();
  sources.close();
}

/** Puts together what finds and takes out text under a home. */
export function openSweep(home: string): TextSweep {
  const places = placesIn(home);
  const files = new HomeTexts(home, { texts: textsOfDatabase });
  return {
    find: async (text) => files.find(text),
    clean: async (text, { ids, places: records }) => {
      for (const key of files.projects().filter((name) => hasEpisodes(home, name))) {
        const { store, close } = openStore(home, key);
        const isIndexed = (): boolean => textsOfDatabase(join(places.state(key), EPISODES_FILE)).some((held) => text.isIn(held));
        const isChanged = await forgetInEpisodes(store, text, isIndexed).finally(close);
        if (isChanged) removeIndex(join(places.state(key), MESSAGE_VECTORS_FILE));
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
