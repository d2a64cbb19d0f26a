import { existsSync } from 'node:fs';
import type { ForgottenText } from '../../core/lifecycle/forgotten-text.ts';
import { openDatabase, type Database } from './binding.ts';
import { BUSY_MS, compactDatabase, isDamage } from './open.ts';

const PAGE = 2_000;

function withDatabase(file: string, work: (database: Database) => void): void {
  if (!existsSync(file)) return;
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    work(database);
  } finally {
    database.close();
  }
}

/** Every text of every row of a database. */
export function textsOfDatabase(file: string): readonly string[] {
  const texts: string[] = [];
  try {
    withDatabase(file, (database) => {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").all();
      for (const { name } of tables) {
        const columns = database
          .prepare(`PRAGMA table_info("${String(name)}")`)
          .all()
          .map(({ name: column }) => `"${String(column)}"`);
        // Selects texts only: a number may be too large for JavaScript.
        const values = columns.map((column, nth) => `CASE typeof(${column}) WHEN 'text' THEN ${column} END AS c${nth}`);
        const page = database.prepare(`SELECT ${values.join(', ')} FROM "${String(name)}" LIMIT ${PAGE} OFFSET ?`);
        for (let at = 0; ; at += PAGE) {
          const rows = page.all(at);
          for (const row of rows) for (const value of Object.values(row)) if (typeof value === 'string' && value.length > 8) texts.push(value);
          if (rows.length < PAGE) break;
        }
      }
    });
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
  }
  return texts;
}

/** Removes records, and texts that quote them, from the log of injections. */
export function forgetInjections(file: string, ids: readonly string[], text: ForgottenText): void {
  withDatabase(file, (database) => {
    const rows = database.prepare('SELECT seq, items FROM injections').all();
    const update = database.prepare('UPDATE injections SET items = ? WHERE seq = ?');
    for (const { seq, items } of rows) {
      const all = JSON.parse(String(items)) as readonly { readonly id: string }[];
      const remaining = all.filter((item) => !ids.includes(item.id) && !text.isIn(JSON.stringify(item)));
      // The reasons of the others name words of the same prompt.
      if (remaining.length < all.length) update.run(JSON.stringify(remaining.map((item) => ({ ...item, reasons: [] }))), seq);
    }
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('feedback', 'uses')").all();
    for (const { name } of tables) {
      const remove = database.prepare(`DELETE FROM ${String(name)} WHERE id = ?`);
      for (const id of ids) remove.run(id);
    }
    compactDatabase(database);
  });
}

export function forgetVectors(file: string, keys: readonly number[]): void {
  withDatabase(file, (database) => {
    for (const table of ['vectors', 'signs']) for (const key of keys) database.prepare(`DELETE FROM ${table} WHERE key = ?`).run(key);
    compactDatabase(database);
  });
}
