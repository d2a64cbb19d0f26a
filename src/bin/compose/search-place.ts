import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EpisodeShelf } from '../../adapters/sqlite/episodes-recall.ts';
import { SqliteInjectionLog } from '../../adapters/sqlite/injections.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { episodeShelf } from './episode-shelf.ts';
import { EPISODES_FILE, INJECTIONS_FILE, placesIn } from './places.ts';

export interface OpenPlace extends SearchPlace {
  close(): void;
}

/** A project as a search sees it: its memory, its conversations once they are asked for, and what people said of its records. May stay open. */
export function searchPlace(home: string, memory: Memory, distance = 0): OpenPlace {
  const state = placesIn(home).state(memory.key);
  const [injections, episodes] = [join(state, INJECTIONS_FILE), join(state, EPISODES_FILE)];
  const log = new SqliteInjectionLog(injections);
  let opened: { readonly shelf: EpisodeShelf | undefined; readonly inode: number } | undefined;
  return {
    memory,
    distance,
    messages: () => {
      // An index that was lost and made again is another file under the same name.
      const inode = statSync(episodes, { throwIfNoEntry: false })?.ino ?? 0;
      if (opened?.inode !== inode) {
        opened?.shelf?.close();
        opened = { inode, shelf: inode === 0 ? undefined : episodeShelf(episodes, memory.key) };
      }
      return opened.shelf;
    },
    feedbackOf: (ids) => (existsSync(injections) ? log.feedbackOf(ids) : new Map()),
    close: () => {
      opened?.shelf?.close();
      log.close();
    },
  };
}
