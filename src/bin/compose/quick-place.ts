import { existsSync } from 'node:fs';
import { feedbackMark } from '../../adapters/sqlite/pending.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import type { Messages } from './episode-shelf.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from './places.ts';

/** A project as one search sees it: what reads its conversations and what people said of its records is loaded where there are any. */
export async function quickPlace(home: string, memory: Memory, distance: number): Promise<SearchPlace> {
  const state = placesIn(home).state(memory.key);
  const late = (): Promise<typeof import('../late/ranking.ts')> => import('../late/ranking.ts');
  const log = existsSync(feedbackMark(state)) ? (await late()).feedbackIn(state) : undefined;
  let said: Messages | undefined;
  return {
    memory,
    distance,
    messages: async () => {
      if (!existsSync(`${state}/${EPISODES_FILE}`) && !existsSync(`${state}/${ARCHIVE_FOLDER}`)) return undefined;
      said ??= (await late()).messagesOf(home, memory.key);
      return said.mended();
    },
    ...(log && { feedbackOf: (ids) => log.feedbackOf(ids) }),
  };
}
