import { existsSync } from 'node:fs';
import type { KnownFailure } from '../../../core/ports/episodes.ts';
import type { SessionMachine } from '../../../core/ports/machine.ts';
import { type Database, openDatabase } from '../binding.ts';
import { NO_CONVERSATIONS, readDigest, rulesIn } from './digest.ts';
import { EPISODES_VERSION } from './schema.ts';

/** Reads from the database and closes it again; `nothing` if there is no index, or none that can be read now. */
function look<T>(file: string, read: (database: Database) => T, nothing: T): T {
  if (!existsSync(file)) return nothing;
  try {
    const database = openDatabase(file);
    try {
      database.exec('PRAGMA busy_timeout = 200');
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== EPISODES_VERSION) return nothing;
      return read(database);
    } finally {
      database.close();
    }
  } catch {
    // Search repairs a damaged index; a hook does without it.
    return nothing;
  }
}

/** Older causes have been fixed or forgotten; counted from the last session, not from today. */
const RECENT_MS = 90 * 86_400_000;
const MOST_FAILURES = 40;
const FAILURES = `SELECT u.id AS session, f.message AS messageId, f.at, f.cause, f.score
  FROM failures f JOIN units u ON u.unit = f.unit WHERE f.action = ? AND f.at > (SELECT ended FROM units ORDER BY ended DESC LIMIT 1) - ${RECENT_MS} ORDER BY f.at DESC LIMIT ${MOST_FAILURES}`;

/** The queries that hooks make about a project's conversations. */
export const conversationLookups = (fileOf: (key: string) => string): Pick<SessionMachine, 'digestConversations' | 'failures' | 'typedRules'> => ({
  digestConversations: (key, sessions, answered) => look(fileOf(key), (database) => readDigest(database, sessions, answered), NO_CONVERSATIONS),
  typedRules: (key) => look(fileOf(key), rulesIn, []),
  failures: (key, action) => look(fileOf(key), (database) => database.prepare(FAILURES).all(action) as readonly object[] as readonly KnownFailure[], []),
});
