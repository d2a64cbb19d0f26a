import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MessageSearchIndex } from '../../adapters/sqlite/episodes/message-search.ts';
import { isFailure } from '../../core/failure.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../../adapters/files/home-layout.ts';

/** A project's conversations for a search; undefined when they have to be made again: another version wrote them, or they were damaged. */
function episodeShelf(file: string, key: string): MessageSearchIndex | undefined {
  const shelf = new MessageSearchIndex(file, key);
  try {
    if (shelf.isReadable) return shelf;
  } catch (cause) {
    shelf.close();
    if (isFailure(cause) && cause.code === 'READ_ERROR') return undefined;
    throw cause;
  }
  shelf.close();
  return undefined;
}

/** A project's conversations, opened when they are asked for and kept open; undefined where there are none. */
export interface Messages {
  open(): MessageSearchIndex | undefined;
  /** The same; an index that is lost, damaged or of another version is made again first, which takes its time. */
  mended(): Promise<MessageSearchIndex | undefined>;
  close(): void;
}

const inodeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.ino ?? 0;

export function openMessages(home: string, key: string): Messages {
  const state = placesIn(home).state(key);
  const file = join(state, EPISODES_FILE);
  let opened: { readonly shelf: MessageSearchIndex | undefined; readonly inode: number } | undefined;
  const open = (): MessageSearchIndex | undefined => {
    // An index that was lost and made again is another file under the same name.
    const inode = inodeOf(file);
    if (opened?.inode !== inode) {
      opened?.shelf?.close();
      opened = undefined;
      opened = { inode, shelf: inode === 0 ? undefined : episodeShelf(file, key) };
    }
    return opened.shelf;
  };
  return {
    open,
    mended: async () => {
      const shelf = open();
      if (shelf !== undefined || (!existsSync(file) && !existsSync(join(state, ARCHIVE_FOLDER)))) return shelf;
      (await import('./episode-store.ts')).remakeStore(home, key);
      opened = undefined;
      return open();
    },
    close: () => {
      opened?.shelf?.close();
      opened = undefined;
    },
  };
}
