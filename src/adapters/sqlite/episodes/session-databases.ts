import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { Failure } from '../../../core/failure.ts';
import type { TranscriptFile, TranscriptLines } from '../../../core/ports/episodes.ts';
import { type Database, openReadOnly } from '../binding.ts';

const DATABASE = /[\\/](?:opencode|kilo)\.db$/;
const SESSION = /^(.+[\\/](?:opencode|kilo)\.db)#([\w-]+)$/;
/** The average bytes of a message, to estimate progress and to decide whether to use a thread. */
const MESSAGE_BYTES = 4_000;

type Row = Record<string, unknown>;

function withDatabase<T>(file: string, work: (database: Database) => T): T {
  try {
    const database = openReadOnly(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (cause) {
    throw new Failure('READ_ERROR', `cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}

const LIST = `SELECT s.id, s.directory, s.time_updated AS at, count(m.id) AS messages,
  (SELECT l.time_updated FROM message l WHERE l.session_id = s.id ORDER BY l.time_created DESC, l.id DESC LIMIT 1) AS last
  FROM session s JOIN message m ON m.session_id = s.id GROUP BY s.id`;

const isIn = (folder: string | undefined, directory: unknown): boolean =>
  folder === undefined || (typeof directory === 'string' && (directory === folder || directory.startsWith(`${folder}${sep}`)));

/** The sessions of a database, or those that ran in or below a folder. None if the client's version has another schema. */
function sessionsIn(file: string, folder?: string): readonly TranscriptFile[] {
  if (!existsSync(file)) return [];
  try {
    return withDatabase(file, (database) => database.prepare(LIST).all())
      .filter(({ directory }) => isIn(folder, directory))
      .map(({ id, at, last, messages }) => ({
        path: `${file}#${String(id)}`,
        size: Number(messages) * MESSAGE_BYTES,
        mtimeMs: Math.max(Number(at), Number(last ?? 0)),
      }));
  } catch {
    return [];
  }
}

const parsed = (row: Row): object => JSON.parse(String(row['data'])) as object;

/** A session as `opencode export` would print it, a message a line. */
function* exportedLines(file: string, id: string): Generator<string> {
  const { session, messages } = withDatabase(file, (database) => ({
    session: database.prepare('SELECT id, parent_id, directory, title, version, time_created, time_updated FROM session WHERE id = ?').get(id),
    messages: database.prepare('SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id').all(id),
  }));
  if (session === undefined) return;
  const { parent_id: parentID, directory, title, version, time_created: created, time_updated: updated } = session;
  yield `{"info":${JSON.stringify({ id, ...(parentID !== null && { parentID }), directory, title, version, time: { created, updated } })},"messages":[`;
  for (const [nth, { id: message }] of messages.entries()) {
    const { info, parts } = withDatabase(file, (database) => ({
      info: database.prepare('SELECT data FROM message WHERE id = ?').get(message),
      parts: database.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id').all(message),
    }));
    if (info === undefined) continue;
    const value = { info: { ...parsed(info), id: message, sessionID: id }, parts: parts.map((part) => ({ ...parsed(part), id: part['id'] })) };
    yield `${nth === 0 ? '' : ','}${JSON.stringify(value)}`;
  }
  yield ']}';
}

/** Always reads from the start, because messages in a database grow in place. */
class SessionLines implements TranscriptLines {
  start = 0;
  end = 0;
  readonly whole = true;
  readonly #lines: Iterator<string>;

  constructor(file: string, id: string) {
    this.#lines = exportedLines(file, id);
  }

  next(): string | undefined {
    const { value, done } = this.#lines.next();
    if (done === true) return undefined;
    this.start = this.end;
    this.end += value.length + 1;
    return value;
  }

  look(): string | undefined {
    return this.next();
  }

  anchor(): string {
    return '';
  }

  close(): void {
    this.#lines.return?.();
  }
}

/** The conversations that opencode and Kilo keep in SQLite, each as a transcript of its own. */
export const sessionDatabases = {
  isDatabase: (file: string): boolean => DATABASE.test(file),
  isSession: (path: string): boolean => SESSION.test(path),
  sessions: sessionsIn,
  transcripts: {
    open: (path: string): TranscriptLines => {
      const [, file = '', id = ''] = SESSION.exec(path) ?? [];
      return new SessionLines(file, id);
    },
  },
};
