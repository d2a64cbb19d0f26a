import { existsSync } from 'node:fs';
import type { NewestSession } from '../../core/ports/episodes.ts';
import { openDatabase } from './binding.ts';
import { EPISODES_VERSION } from './episodes-schema.ts';

const BUSY_MS = 200;
/** A question and its answer are no state of the work. */
const LEAST = 6;

/** The newest conversations of a project, by a single look that leaves nothing open; none where they cannot be read just now. */
export function newestSessions(file: string, limit: number): readonly NewestSession[] {
  if (!existsSync(file)) return [];
  try {
    const database = openDatabase(file);
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== EPISODES_VERSION) return [];
      const rows = database
        .prepare(
          `SELECT id, title, branch, ended FROM units WHERE prompts > 0 AND messages >= ${LEAST} AND ended IS NOT NULL ORDER BY ended DESC, unit DESC LIMIT ?`,
        )
        .all(limit);
      return rows.map(({ id, title, branch, ended }) => ({
        id: String(id),
        title: typeof title === 'string' ? title : '',
        endedAt: Number(ended),
        ...(typeof branch === 'string' && { branch }),
      }));
    } finally {
      database.close();
    }
  } catch {
    // Search mends what is damaged; a start does without.
    return [];
  }
}
