import { EpisodeShelf } from '../../adapters/sqlite/episodes-recall.ts';
import { isDamage, isUnwritable } from '../../adapters/sqlite/open.ts';

/** A project's conversations for a search; undefined when they cannot be read: the next import makes them again. */
export function episodeShelf(file: string, key: string): EpisodeShelf | undefined {
  try {
    const shelf = new EpisodeShelf(file, key);
    if (shelf.isReadable) return shelf;
    shelf.close();
  } catch (cause) {
    if (!isDamage(cause) && !isUnwritable(cause)) throw cause;
  }
  return undefined;
}
