import { type Database, openDatabase } from '../../src/adapters/sqlite/binding.ts';

const STOP_WORDS = new Set(
  'a an the of to in on for and or is are was were be been it its this that these those i we you they he she with as at by from not no do does did can could should would will what which who how why when where there here if then than so but about into over up out just only also more some any all our your my me us have has had let make please use using get'.split(
    ' ',
  ),
);
const MOST_WORDS = 24;
const MESSAGE = 500;
/** About 500 tokens. */
const QUOTED = 2_000;

/** The yardstick: FTS5 over prose as it comes; the best message of three conversations, quoted with one before and three after it. */
export class PlainQuotes {
  readonly #database: Database = openDatabase(':memory:');
  readonly #texts = new Map<string, readonly string[]>();

  constructor() {
    this.#database.exec("CREATE VIRTUAL TABLE m USING fts5(text, session UNINDEXED, nth UNINDEXED, tokenize = 'porter')");
  }

  add(session: string, texts: readonly string[]): void {
    const insert = this.#database.prepare('INSERT INTO m VALUES (?, ?, ?)');
    for (const [nth, text] of texts.entries()) insert.run(text.slice(0, 4_000), session, nth);
    this.#texts.set(session, texts);
  }

  quote(prompt: string): string {
    const words = [...new Set((prompt.toLowerCase().match(/[a-z0-9_]+/g) ?? []).filter((word) => word.length > 2 && !STOP_WORDS.has(word)))];
    const query = words
      .slice(0, MOST_WORDS)
      .map((word) => `"${word}"`)
      .join(' OR ');
    if (query === '') return '';
    const rows = this.#database.prepare('SELECT session, nth FROM m WHERE m MATCH ? ORDER BY rank LIMIT 10').all(query);
    const seen = new Set<string>();
    let quoted = '';
    for (const row of rows) {
      const [session, nth] = [row['session'] as string, Number(row['nth'])];
      if (seen.has(session) || seen.size === 3) continue;
      seen.add(session);
      quoted += `${(this.#texts.get(session) ?? [])
        .slice(Math.max(0, nth - 1), nth + 4)
        .map((text) => text.slice(0, MESSAGE))
        .join('\n')}\n`;
    }
    return quoted.slice(0, QUOTED);
  }

  close(): void {
    this.#database.close();
  }
}
