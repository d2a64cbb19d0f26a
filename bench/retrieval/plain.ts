import { type Database, openDatabase, type Statement } from '../../src/adapters/sqlite/binding.ts';
import type { Message } from '../../src/core/episode/episode.ts';
import type { RankedIds } from './ruler.ts';

/** FTS5 with its defaults: a row a message with its prose and no tool calls, stemmed, all words of the question joined by OR, BM25. */
export class PlainSearch {
  readonly #database: Database;
  readonly #search: Statement;

  constructor(messages: readonly Message[]) {
    this.#database = openDatabase(':memory:');
    this.#database.exec("CREATE VIRTUAL TABLE m USING fts5(session UNINDEXED, message UNINDEXED, text, tokenize = 'porter unicode61')");
    const insert = this.#database.prepare('INSERT INTO m (session, message, text) VALUES (?, ?, ?)');
    this.#database.exec('BEGIN');
    for (const { sessionId, id, role, text } of messages) if (role !== 'tool' && text.trim() !== '') insert.run(sessionId, id, text);
    this.#database.exec('COMMIT');
    this.#search = this.#database.prepare('SELECT session, message FROM m WHERE m MATCH ? ORDER BY rank LIMIT ?');
  }

  search(question: string, limit: number): RankedIds {
    const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
    const rows = words.length === 0 ? [] : this.#search.all(words.map((word) => `"${word}"`).join(' OR '), limit);
    return { sessions: rows.map((row) => row['session'] as string), messages: rows.map((row) => row['message'] as string) };
  }

  close(): void {
    this.#database.close();
  }
}
