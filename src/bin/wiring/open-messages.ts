import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import { MessageSearchIndex } from '../../adapters/sqlite/episodes/message-search.ts';
import { withMessages } from '../../app/recall/ranker.ts';
import { itemRanking } from '../../app/recall/ranking.ts';
import { ProjectMessages } from '../../app/search/messages.ts';
import type { OpenRanking, RankingParts } from './open-recall.ts';

/** The messages of a project's sessions, for a search. */
export function openMessages(home: string, key: string): ProjectMessages {
  const state = placesIn(home).state(key);
  const file = join(state, EPISODES_FILE);
  return new ProjectMessages({
    open: () => new MessageSearchIndex(file, key),
    fileId: () => statSync(file, { throwIfNoEntry: false })?.ino ?? 0,
    hasArchive: () => existsSync(join(state, ARCHIVE_FOLDER)),
    remake: async () => {
      const { episodeStores, openSources } = await import('./episode-stores.ts');
      const { remakeStore } = await import('../../app/episodes/store.ts');
      remakeStore(episodeStores(home), () => openSources(home), key);
    },
  });
}

/** Ranks records and messages. Apart from `open-recall.ts`, because it loads the whole ranker. */
export function rankWithMessages({ memories, log, home, key, now, branch }: RankingParts): OpenRanking {
  const messages = openMessages(home, key);
  const settings = { now, log, ...(branch !== undefined && { branch }) };
  return { ranking: withMessages(itemRanking(memories, log), () => messages.open(), settings), close: () => messages.close() };
}
