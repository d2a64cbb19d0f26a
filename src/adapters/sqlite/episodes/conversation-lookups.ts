import { existsSync } from 'node:fs';
import type { KnownFailure } from '../../../core/ports/episodes.ts';
import type { SessionMachine } from '../../../core/ports/machine.ts';
import { type Database, openDatabase } from '../binding.ts';
import { NO_CONVERSATIONS, readDigest, rulesIn } from './digest.ts';
import { EPISODES_VERSION } from './schema.ts';

/** Opens the index, reads from it and closes it; returns `fallback` if there is no readable index. */
function readIndex<T>(file: string, read: (database: Database) => T, fallback: T): T {
  if (!existsSync(file)) return fallback;
  try {
    const database = openDatabase(file);
    try {
      database.exec('PRAGMA busy_timeout = 200');
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== EPISODES_VERSION) return fallback;
      return read(database);
    } finally {
      database.close();
    }
  } catch {
    // A hook skips a damaged index; a search repairs it.
    return fallback;
  }
}

/** Older failures no longer matter; counted back from the last session, not from today. */
const RECENT_MS = 90 * 86_400_000;
const MOST_FAILURES = 40;
const FAILURES = `SELECT u.id AS session, f.message AS messageId, f.at, f.cause, f.score
  FROM failures f JOIN units u ON u.unit = f.unit WHERE f.action = ? AND f.at > (SELECT ended FROM units ORDER BY ended DESC LIMIT 1) - ${RECENT_MS} ORDER BY f.at DESC LIMIT ${MOST_FAILURES}`;

/** The queries that hooks make about a project's conversations. */
export const conversationLookups = (fileOf: (key: string) => string): Pick<SessionMachine, 'digestConversations' | 'failures' | 'typedRules'> => ({
  digestConversations: (key, sessions, sessionsWithAnswers) =>
    readIndex(fileOf(key), (database) => readDigest(database, sessions, sessionsWithAnswers), NO_CONVERSATIONS),
  typedRules: (key) => readIndex(fileOf(key), rulesIn, []),
  failures: (key, action) => readIndex(fileOf(key), (database) => database.prepare(FAILURES).all(action) as readonly object[] as readonly KnownFailure[], []),
});
