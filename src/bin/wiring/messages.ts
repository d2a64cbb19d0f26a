import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import { messageIndexFile } from '../../adapters/sqlite/episodes/message-search.ts';
import { ProjectMessages } from '../../app/search/messages.ts';

/** The messages of a project's sessions, for a search. Not in `episodes.ts`, which loads the whole import. */
export function openMessages(home: string, key: string): ProjectMessages {
  const state = placesIn(home).state(key);
  return new ProjectMessages({
    ...messageIndexFile(join(state, EPISODES_FILE), key),
    hasArchive: () => existsSync(join(state, ARCHIVE_FOLDER)),
    remake: async () => (await import('./episodes.ts')).remakeMessages(home, key),
  });
}
