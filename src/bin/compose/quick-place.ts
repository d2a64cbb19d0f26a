import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { feedbackMark } from '../../adapters/sqlite/pending.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import type { Messages } from './episode-shelf.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, INJECTIONS_FILE, placesIn } from './places.ts';

/** A project as one search sees it: what reads its conversations and what people said of its records is loaded where there are any. */
export async function quickPlace(home: string, memory: Memory, distance: number): Promise<SearchPlace> {
  const state = placesIn(home).state(memory.key);
  const log = existsSync(feedbackMark(state))
    ? new (await import('../../adapters/sqlite/injections.ts')).SqliteInjectionLog(join(state, INJECTIONS_FILE))
    : undefined;
  let said: Messages | undefined;
  return {
    memory,
    distance,
    messages: async () => {
      if (!existsSync(`${state}/${EPISODES_FILE}`) && !existsSync(`${state}/${ARCHIVE_FOLDER}`)) return undefined;
      said ??= (await import('./episode-shelf.ts')).messagesOf(home, memory.key);
      return said.mended();
    },
    ...(log && { feedbackOf: (ids) => log.feedbackOf(ids) }),
  };
}
