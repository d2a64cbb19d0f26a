import { existsSync } from 'node:fs';
import type { NewestSession } from '../../core/ports/episodes.ts';
import { openDatabase } from './binding.ts';
import { EPISODES_VERSION } from './episodes-schema.ts';

/** A question and its answer are no state of the work. */
const LEAST = 6;

const NEWEST = `SELECT id, coalesce(title, '') AS title, coalesce(branch, '') AS branch, ended AS endedAt FROM units
  WHERE prompts > 0 AND messages >= ${LEAST} AND ended IS NOT NULL ORDER BY ended DESC, unit DESC LIMIT ?`;

/** The newest conversations of a project, by a single look that leaves nothing open; none where they cannot be read just now. */
export function newestSessions(file: string, limit: number): readonly NewestSession[] {
  if (!existsSync(file)) return [];
  try {
    const database = openDatabase(file);
    try {
      database.exec('PRAGMA busy_timeout = 200');
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== EPISODES_VERSION) return [];
      return database.prepare(NEWEST).all(limit) as readonly object[] as readonly NewestSession[];
    } finally {
      database.close();
    }
  } catch {
    // Search mends what is damaged; a start does without.
    return [];
  }
}
