import { existsSync } from 'node:fs';
import type { KnownFailure, NewestSession } from '../../../core/ports/episodes.ts';
import type { SessionMachine } from '../../../core/ports/machine.ts';
import { openDatabase } from '../binding.ts';
import { EPISODES_VERSION } from './schema.ts';

/** Rows by a single look that leaves nothing open; none where they cannot be read just now. */
function lookUp(file: string, sql: string, value: unknown): readonly object[] {
  if (!existsSync(file)) return [];
  try {
    const database = openDatabase(file);
    try {
      database.exec('PRAGMA busy_timeout = 200');
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== EPISODES_VERSION) return [];
      return database.prepare(sql).all(value);
    } finally {
      database.close();
    }
  } catch {
    // Search mends what is damaged; a hook does without.
    return [];
  }
}

/** A question and its answer are no state of the work. */
const LEAST = 6;

const NEWEST = `SELECT id, coalesce(title, '') AS title, coalesce(branch, '') AS branch, ended AS endedAt FROM units
  WHERE prompts > 0 AND messages >= ${LEAST} AND ended IS NOT NULL ORDER BY ended DESC, unit DESC LIMIT ?`;

/** Older causes are mended or forgotten; counted from the last session, not from today. */
const RECENT_MS = 90 * 86_400_000;
const MOST_FAILURES = 40;
const FAILURES = `SELECT u.id AS session, f.message AS messageId, f.at, f.cause, f.score
  FROM failures f JOIN units u ON u.unit = f.unit WHERE f.action = ? AND f.at > (SELECT ended FROM units ORDER BY ended DESC LIMIT 1) - ${RECENT_MS} ORDER BY f.at DESC LIMIT ${MOST_FAILURES}`;

/** What the hooks of a session ask of a project's conversations. */
export const conversationLookups = (fileOf: (key: string) => string): Pick<SessionMachine, 'newestSessions' | 'failures'> => ({
  newestSessions: (key, most) => lookUp(fileOf(key), NEWEST, most) as readonly NewestSession[],
  failures: (key, action) => lookUp(fileOf(key), FAILURES, action) as readonly KnownFailure[],
});
