import type { Client } from '../../core/episode.ts';
import type { Sources, SourceState } from '../../core/ports/episodes.ts';
import type { Database } from './binding.ts';
import { openDerived } from './episodes-open.ts';

const VERSION = 1;
const SCHEMA = `
CREATE TABLE files (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL, client TEXT, offset INTEGER NOT NULL, line INTEGER NOT NULL, anchor TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL) WITHOUT ROWID;
`;

/** What was read of which transcript, and where each session went, in SQLite. */
export class SqliteSources implements Sources {
  readonly #database: Database;
  readonly fresh: boolean;

  constructor(file: string) {
    const { database, fresh } = openDerived(file, SCHEMA, VERSION);
    this.#database = database;
    this.fresh = fresh;
  }

  state(path: string): SourceState | undefined {
    const row = this.#database.prepare('SELECT * FROM files WHERE path = ?').get(path);
    if (row === undefined) return undefined;
    const { size, mtime, client, offset, line, anchor } = row as {
      size: number;
      mtime: number;
      client: Client | null;
      offset: number;
      line: number;
      anchor: string;
    };
    return { path, size, mtimeMs: mtime, offset, line, anchor, ...(client !== null && { client }) };
  }

  note(states: readonly SourceState[]): void {
    const put = this.#database.prepare('INSERT OR REPLACE INTO files (path, size, mtime, client, offset, line, anchor) VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { path, size, mtimeMs, client, offset, line, anchor } of states) put.run(path, size, mtimeMs, client ?? null, offset, line, anchor);
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
    return this.#database.prepare('SELECT project FROM sessions WHERE id = ?').get(sessionId)?.['project'] as string | undefined;
  }

  claim(sessionId: string, key: string): string {
    this.#database.prepare('INSERT OR IGNORE INTO sessions (id, project) VALUES (?, ?)').run(sessionId, key);
    return this.projectOf(sessionId) ?? key;
  }

  like(prefix: string, limit: number): readonly string[] {
    const rows = this.#database.prepare('SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT ?').all(prefix, `${prefix}\u{10ffff}`, limit);
    return rows.map((row) => row['id'] as string);
  }

  close(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }
}
