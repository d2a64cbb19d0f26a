import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteInjectionLog } from '../../adapters/sqlite/injections.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { messagesOf } from './episode-shelf.ts';
import { INJECTIONS_FILE, placesIn } from './places.ts';

export interface OpenPlace extends SearchPlace {
  close(): void;
}

/** A project as a search sees it: its memory, its conversations once they are asked for, and what people said of its records. May stay open. */
export function searchPlace(home: string, memory: Memory, distance = 0): OpenPlace {
  const file = join(placesIn(home).state(memory.key), INJECTIONS_FILE);
  const log = new SqliteInjectionLog(file);
  const said = messagesOf(home, memory.key);
  return {
    memory,
    distance,
    messages: () => said.mended(),
    feedbackOf: (ids) => (existsSync(file) ? log.feedbackOf(ids) : new Map()),
    close: () => {
      said.close();
      log.close();
    },
  };
}
