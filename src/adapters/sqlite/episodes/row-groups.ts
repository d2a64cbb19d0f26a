import type { Database, Statement } from '../binding.ts';

/** Rows in one statement: the call is most of a small row's cost. */
const AT_ONCE = 16;

/** Inserts rows into a table in groups. `flush` inserts the last group. */
export class RowGroups {
  readonly #width: number;
  readonly #several: Statement;
  readonly #one: Statement;
  #values: unknown[] = [];

  constructor(database: Database, table: string, columns: readonly string[], verb: 'INSERT' | 'INSERT OR IGNORE' | 'INSERT OR REPLACE' = 'INSERT') {
    this.#width = columns.length;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const insert = (rows: number): string => `${verb} INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
    this.#several = database.prepare(insert(AT_ONCE));
    this.#one = database.prepare(insert(1));
  }

  add(...values: readonly unknown[]): void {
    for (const value of values) this.#values.push(value);
    if (this.#values.length < AT_ONCE * this.#width) return;
    this.#several.run(...this.#values);
    this.#values = [];
  }

  flush(): void {
    for (let at = 0; at < this.#values.length; at += this.#width) this.#one.run(...this.#values.slice(at, at + this.#width));
    this.#values = [];
  }

  /** Drops the rows that wait for `flush`. */
  forget(): void {
    this.#values = [];
  }
}
