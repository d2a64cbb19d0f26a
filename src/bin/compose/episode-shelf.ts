import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EpisodeShelf } from '../../adapters/sqlite/episodes-recall.ts';
import type { RecallIndex } from '../../recall/port.ts';
import { EPISODES_FILE } from './episode-store.ts';
import { placesIn } from './places.ts';

/** A project's conversations for a search; undefined where there are none, or none that this version can read. */
export function episodeShelf(home: string, key: string): (RecallIndex & { close(): void }) | undefined {
  const file = join(placesIn(home).state(key), EPISODES_FILE);
  if (!existsSync(file)) return undefined;
  const shelf = new EpisodeShelf(file, key);
  if (shelf.isReadable) return shelf;
  shelf.close();
  return undefined;
}
