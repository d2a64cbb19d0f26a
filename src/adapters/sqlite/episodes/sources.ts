import type { Client } from '../../../core/episode/episode.ts';
import type { TranscriptSources, SourceState } from '../../../core/ports/episodes.ts';
import type { Database } from '../binding.ts';
import { openDerived } from '../open-derived.ts';

const VERSION = 1;
const SCHEMA = `
CREATE TABLE files (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL, client TEXT, offset INTEGER NOT NULL, line INTEGER NOT NULL, anchor TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL) WITHOUT ROWID;
`;

const statementsFor = (database: Database) => ({
  state: database.prepare('SELECT * FROM files WHERE path = ?'),
  note: database.prepare('INSERT OR REPLACE INTO files (path, size, mtime, client, offset, line, anchor) VALUES (?, ?, ?, ?, ?, ?, ?)'),
  project: database.prepare('SELECT project FROM sessions WHERE id = ?'),
  claim: database.prepare('INSERT OR IGNORE INTO sessions (id, project) VALUES (?, ?)'),
  give: database.prepare('INSERT OR REPLACE INTO sessions (id, project) VALUES (?, ?)'),
  like: database.prepare('SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT ?'),
});

/** How far each transcript was read, and which project each session belongs to, in SQLite. */
export class SqliteSources implements TranscriptSources {
  readonly #database: Database;
  readonly #run: ReturnType<typeof statementsFor>;
  /** Whether the database was just created. */
  readonly fresh: boolean;

  constructor(file: string) {
    const { database, fresh } = openDerived(file, SCHEMA, VERSION);
    this.#database = database;
    this.#run = statementsFor(database);
    this.fresh = fresh;
  }

  state(path: string): SourceState | undefined {
    const row = this.#run.state.get(path) as { size: number; mtime: number; client: Client | null; offset: number; line: number; anchor: string } | undefined;
    if (row === undefined) return undefined;
    const { size, mtime, client, offset, line, anchor } = row;
    return { path, size, mtimeMs: mtime, offset, line, anchor, ...(client !== null && { client }) };
  }

  note(states: readonly SourceState[]): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { path, size, mtimeMs, client, offset, line, anchor } of states) this.#run.note.run(path, size, mtimeMs, client ?? null, offset, line, anchor);
      this.#database.exec('COMMIT');
    } catch (cause) {
      this.#database.exec('ROLLBACK');
      throw cause;
    }
  }

  forget(): void {
    this.#database.exec('DELETE FROM files');
  }

  projectOf(sessionId: string): string | undefined {
    return this.#run.project.get(sessionId)?.['project'] as string | undefined;
  }

  claim(sessionId: string, key: string): string {
    this.#run.claim.run(sessionId, key);
    return this.projectOf(sessionId) ?? key;
  }

  give(sessionId: string, key: string): void {
    this.#run.give.run(sessionId, key);
  }

  like(prefix: string, limit: number): readonly string[] {
    return this.#run.like.all(prefix, `${prefix}\u{10ffff}`, limit).map((row) => row['id'] as string);
  }

  close(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }
}
