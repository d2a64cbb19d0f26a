import { statSync } from 'node:fs';
import { join } from 'node:path';
import { EpisodeShelf } from '../../adapters/sqlite/episodes-recall.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { isDamage, isUnwritable, removeIndex } from '../../adapters/sqlite/open.ts';
import { EPISODES_FILE, placesIn } from './places.ts';

/** A project's conversations for a search; undefined when they cannot be read: the next import makes them again. */
function episodeShelf(file: string, key: string): EpisodeShelf | undefined {
  try {
    const shelf = new EpisodeShelf(file, key);
    if (shelf.isReadable) return shelf;
    shelf.close();
  } catch (cause) {
    if (!isDamage(cause) && !isUnwritable(cause)) throw cause;
  }
  return undefined;
}

/** Reads all of it: only for when something has gone wrong. */
function isSound(file: string): boolean {
  const database = openDatabase(file);
  try {
    return Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    return false;
  } finally {
    database.close();
  }
}

/** A project's conversations, opened when they are asked for and kept open; undefined where there are none. */
export interface Messages {
  open(): EpisodeShelf | undefined;
  /** After a failure: drops an index that is damaged, and says whether it was. It is made again from the archive. */
  dropDamaged(): boolean;
  close(): void;
}

export function messagesOf(home: string, key: string): Messages {
  const file = join(placesIn(home).state(key), EPISODES_FILE);
  let opened: { readonly shelf: EpisodeShelf | undefined; readonly inode: number } | undefined;
  return {
    open: () => {
      // An index that was lost and made again is another file under the same name.
      const inode = statSync(file, { throwIfNoEntry: false })?.ino ?? 0;
      if (opened?.inode !== inode) {
        opened?.shelf?.close();
        opened = { inode, shelf: inode === 0 ? undefined : episodeShelf(file, key) };
      }
      return opened.shelf;
    },
    dropDamaged: () => {
      if (!opened?.shelf || isSound(file)) return false;
      opened.shelf.close();
      opened = undefined;
      removeIndex(file);
      return true;
    },
    close: () => {
      opened?.shelf?.close();
      opened = undefined;
    },
  };
}
