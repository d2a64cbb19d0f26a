import type { NewVector, VectorHit, VectorStore } from '../../../core/ports/embedding.ts';
import type { Database, Statement } from '../binding.ts';
import { openDerived } from '../open-derived.ts';
import { isDamage, removeIndex } from '../open.ts';
import { cosine, nearestSigns, quantize, wordsFor, type Signs } from './quantize.ts';

/** Raise it with every change below: vectors of another version are made again. */
const VERSION = 2;

/** Signs have their own table, so that reading all of them reads little. */
const SCHEMA = `
CREATE TABLE models (model INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, complete INTEGER NOT NULL DEFAULT 0);
CREATE TABLE vectors (model INTEGER NOT NULL, key INTEGER NOT NULL, digest TEXT NOT NULL, label TEXT, scale REAL NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (model, key)) WITHOUT ROWID;
CREATE TABLE signs (model INTEGER NOT NULL, key INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (model, key)) WITHOUT ROWID;
`;

const PAGE = 5000;
const LAST_KEY = Number.MAX_SAFE_INTEGER;
/** Vectors that the first pass, by signs, hands on to scoring. */
const CANDIDATES = 200;

interface ModelRow {
  readonly model: number;
  readonly size: number;
  readonly complete: boolean;
}

const bytesOf = (values: Int8Array | Uint32Array): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Vectors in a database of their own, beside the index. */
export class SqliteVectors implements VectorStore {
  readonly #file: string;
  #database: Database;
  readonly #statements = new Map<string, Statement>();
  #loaded: (Signs & { readonly name: string; readonly version: number }) | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#database = openDerived(file, SCHEMA, VERSION).database;
  }

  digests(name: string, keys: readonly number[]): ReadonlyMap<number, string> {
    return this.#guarded(() => {
      const model = this.#model(name);
      const digests = new Map<number, string>();
      if (!model) return digests;
      const statement = this.#prepare('SELECT digest FROM vectors WHERE model = ? AND key = ?');
      for (const key of keys) {
        const row = statement.get(model.model, key);
        if (row) digests.set(key, String(row['digest']));
      }
      return digests;
    });
  }

  put(name: string, vectors: readonly NewVector[]): void {
    const [first] = vectors;
    if (!first) return;
    this.#guarded(() =>
      this.#inTransaction(() => {
        const model = this.#modelFor(name, first.vector.length);
        const insertVector = this.#prepare('INSERT OR REPLACE INTO vectors (model, key, digest, label, scale, bytes) VALUES (?, ?, ?, ?, ?, ?)');
        const insertSigns = this.#prepare('INSERT OR REPLACE INTO signs (model, key, bits) VALUES (?, ?, ?)');
        for (const { key, digest, label = null, vector } of vectors) {
          const { scale, bytes, bits } = quantize(vector);
          insertVector.run(model, key, digest, label, scale, bytesOf(bytes));
          insertSigns.run(model, key, bytesOf(bits));
        }
      }),
    );
  }

  prune(name: string, from: number, to: number, keep: ReadonlySet<number>): number {
    return this.#guarded(() => {
      const model = this.#model(name);
      if (!model) return 0;
      const rows = this.#prepare('SELECT key FROM signs WHERE model = ? AND key BETWEEN ? AND ?').all(model.model, from, Math.min(to, LAST_KEY));
      const stale = rows.map((row) => Number(row['key'])).filter((key) => !keep.has(key));
      if (stale.length === 0) return 0;
      this.#inTransaction(() => {
        for (const table of ['vectors', 'signs']) {
          const remove = this.#prepare(`DELETE FROM ${table} WHERE model = ? AND key = ?`);
          for (const key of stale) remove.run(model.model, key);
        }
      });
      return stale.length;
    });
  }

  count(name: string): number {
    return this.#guarded(() => {
      const model = this.#model(name);
      return model ? Number(this.#prepare('SELECT count(*) AS n FROM signs WHERE model = ?').get(model.model)?.['n'] ?? 0) : 0;
    });
  }

  isComplete(name: string): boolean {
    return this.#guarded(() => this.#model(name)?.complete === true);
  }

  complete(name: string): void {
    this.#guarded(() =>
      this.#inTransaction(() => {
        const model = this.#model(name);
        if (!model) return;
        this.#prepare('UPDATE models SET complete = 1 WHERE model = ?').run(model.model);
        for (const table of ['vectors', 'signs', 'models']) this.#prepare(`DELETE FROM ${table} WHERE model <> ?`).run(model.model);
      }),
    );
  }

  isLoaded(name: string): boolean {
    return this.#loaded?.name === name;
  }

  load(name: string): void {
    this.#guarded(() => {
      const model = this.#model(name);
      const version = this.#version();
      const words = wordsFor(model?.size ?? 0);
      const count = this.count(name);
      const [keys, bits] = [new Float64Array(count), new Uint32Array(count * words)];
      const statement = this.#prepare('SELECT key, bits FROM signs WHERE model = ? AND key > ? ORDER BY key LIMIT ?');
      let [row, last] = [0, -1];
      while (row < count) {
        const page = statement.all(model?.model ?? 0, last, Math.min(PAGE, count - row));
        if (page.length === 0) break;
        for (const { key, bits: blob } of page) {
          keys[row] = last = Number(key);
          // Copied, because the database's buffer need not be aligned to four bytes.
          bits.set(new Uint32Array(new Uint8Array(blob as Uint8Array).buffer, 0, words), row++ * words);
        }
      }
      this.#loaded = { name, version, words, keys: keys.subarray(0, row), bits };
    });
  }

  nearest(name: string, query: Float32Array, limit: number): readonly VectorHit[] {
    return this.#guarded(() => {
      const model = this.#model(name);
      if (model?.size !== query.length) return [];
      // Another process may have written since; writes of this process unload the vectors themselves.
      if (this.#loaded?.name !== name || this.#loaded.version !== this.#version()) this.load(name);
      const near = nearestSigns(this.#loaded as Signs, query, Math.max(CANDIDATES, limit * 4));
      const statement = this.#prepare('SELECT label, scale, bytes FROM vectors WHERE model = ? AND key = ?');
      const hits = near.flatMap((key) => {
        const row = statement.get(model.model, key);
        if (!row) return [];
        const [blob, label] = [row['bytes'] as Uint8Array, row['label']];
        const score = cosine(query, new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength), Number(row['scale']));
        return [{ key, score, ...(typeof label === 'string' && { label }) }];
      });
      return hits.toSorted((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
    });
  }

  close(): void {
    this.#statements.clear();
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }

  #version(): number {
    return Number(this.#prepare('PRAGMA data_version').get()?.['data_version'] ?? 0);
  }

  #model(name: string): ModelRow | undefined {
    const row = this.#prepare('SELECT model, size, complete FROM models WHERE name = ?').get(name);
    return row && { model: Number(row['model']), size: Number(row['size']), complete: row['complete'] === 1 };
  }

  /** A model that now gives vectors of another size is another model with the old name. */
  #modelFor(name: string, size: number): number {
    const known = this.#model(name);
    if (known?.size === size) return known.model;
    if (known) for (const table of ['vectors', 'signs', 'models']) this.#prepare(`DELETE FROM ${table} WHERE model = ?`).run(known.model);
    return Number(this.#prepare('INSERT INTO models (name, size) VALUES (?, ?)').run(name, size).lastInsertRowid);
  }

  #inTransaction(work: () => void): void {
    this.#loaded = undefined;
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (cause) {
      this.#database.exec('ROLLBACK');
      throw cause;
    }
  }

  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Recreates a damaged database; the next pass over the texts makes its vectors again. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      this.#statements.clear();
      this.#loaded = undefined;
      this.#database.close();
      removeIndex(this.#file);
      this.#database = openDerived(this.#file, SCHEMA, VERSION).database;
      return work();
    }
  }
}
