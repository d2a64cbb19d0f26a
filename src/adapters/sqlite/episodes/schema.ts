import { existsSync } from 'node:fs';
import type { NewestSession } from '../../../core/ports/episodes.ts';
import { openDatabase } from '../binding.ts';

/** Raise it with every change below, and of what words are taken for one: the index of another version is made anew from the archive. */
export const EPISODES_VERSION = 5;

export const EPISODES_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE units (
  unit INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, client TEXT NOT NULL, project TEXT, branch TEXT, version TEXT, title TEXT,
  started INTEGER, ended INTEGER, source TEXT NOT NULL, archive TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0, prompts INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0,
  committed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX units_ended ON units (ended);
CREATE TABLE messages (
  number INTEGER PRIMARY KEY, unit INTEGER NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL, size INTEGER NOT NULL, at INTEGER, speaker TEXT, asks INTEGER,
  first INTEGER, last INTEGER, UNIQUE (unit, id)
);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, terms BLOB NOT NULL, text TEXT NOT NULL);
CREATE TABLE terms (term TEXT PRIMARY KEY, number INTEGER NOT NULL, chunks INTEGER NOT NULL, block INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE postings (term INTEGER NOT NULL, block INTEGER NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (term, block)) WITHOUT ROWID;
CREATE TABLE files (unit INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (unit, path)) WITHOUT ROWID;
CREATE TABLE commands (message INTEGER NOT NULL, nth INTEGER NOT NULL, command TEXT NOT NULL, PRIMARY KEY (message, nth)) WITHOUT ROWID;
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE speakers (name TEXT PRIMARY KEY) WITHOUT ROWID;
`;

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
