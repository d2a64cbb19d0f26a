import type { FolderState, Index, IndexChange, IndexedFile, IndexItem, ItemFacts, ItemFilter, ItemHit, ViewsState } from '../../core/ports/index.ts';
import type { FileState, FileRef, RootName } from '../../core/ports/store.ts';
import type { Database, Statement } from './binding.ts';
import { BUSY_MS, compactDatabase, isDamage, isUnwritable, openIndexDatabase, prepareToWrite, removeIndex, rollBack } from './open.ts';
import { ITEM_COLUMNS, RULES, NAMING, BY_BEGINNING, SHORT_IDS_BESIDE, INSERT_ITEM, ITEM_JSON, STATES } from './queries.ts';
import { conditionOf, fileOf, folderOf, folderStateOf, itemsOf, itemValues, rowToItem, statesOf, selectiveTerms, withTexts } from './rows.ts';
import { RANK } from './schema.ts';

const COMMON_FLOOR = 20_000;
/** So many insertions in one update split the term index into a dozen segments, all of which every search would read. */
const MANY_PUT = 200;

/** The index of one memory in SQLite with FTS5. */
export class SqliteIndex implements Index {
  readonly #file: string;
  readonly #busyMs: number;
  #database: Database;
  #statements = new Map<string, Statement>();
  #wrote = false;
  #put = 0;

  constructor(file: string, busyMs = BUSY_MS) {
    this.#file = file;
    this.#busyMs = busyMs;
    this.#database = openIndexDatabase(file, busyMs);
  }

  journalPosition(): number {
    return Number(this.#meta('journal') ?? 0);
  }

  fileCount(): number {
    return Number(this.#meta('files') ?? 0);
  }

  files(): readonly IndexedFile[] {
    return this.#all('SELECT * FROM files ORDER BY root, path').map(fileOf);
  }

  filesFrom(hash: string, limit: number): readonly IndexedFile[] {
    return this.#all('SELECT * FROM files WHERE hash >= ? ORDER BY hash LIMIT ?', hash, limit).map(fileOf);
  }

  states(root?: RootName, folder = ''): readonly (FileRef & FileState)[] {
    const rows = root === undefined ? this.#all(`${STATES} GROUP BY root`) : this.#all(`${STATES} WHERE root = ? AND folder = ? GROUP BY root`, root, folder);
    return rows.flatMap(statesOf);
  }

  views(): ViewsState {
    const value = this.#meta('views');
    return typeof value === 'string' ? (JSON.parse(value) as ViewsState) : { position: 0, renderedAt: 0, tookMs: 0 };
  }

  file({ root, path }: FileRef): IndexedFile | undefined {
    const row = this.#get('SELECT * FROM files WHERE root = ? AND folder = ? AND path = ?', root, folderOf(path), path);
    return row && fileOf(row);
  }

  folders(): readonly FolderState[] {
    return this.#all('SELECT root, folder, mtime FROM folders').map(folderStateOf);
  }

  unjournaled(): readonly IndexedFile[] {
    return this.#all('SELECT * FROM files WHERE journaled IS NOT hash').map(fileOf);
  }

  problems(): readonly IndexedFile[] {
    return this.#all('SELECT * FROM files WHERE problem IS NOT NULL ORDER BY root, path').map(fileOf);
  }

  items(filter: ItemFilter = {}): readonly ItemFacts[] {
    const { sql, values } = conditionOf(filter);
    return this.#all(`SELECT ${ITEM_COLUMNS} FROM items i WHERE ${sql} ORDER BY i.root, i.path`, ...values).map(rowToItem);
  }

  byId(id: string): readonly ItemFacts[] {
    return this.#all(`SELECT ${ITEM_COLUMNS} FROM items i WHERE i.id = ? ORDER BY i.kind DESC, i.root, i.path`, id).map(rowToItem);
  }

  itemAt({ root, path }: FileRef, filter: ItemFilter = {}): ItemHit['item'] | undefined {
    const { sql, values } = conditionOf(filter);
    const row = this.#get(`SELECT ${ITEM_COLUMNS}, i.body, i.pieces FROM items i WHERE i.root = ? AND i.path = ? AND ${sql}`, root, path, ...values);
    return row && withTexts(row);
  }

  rules(): readonly ItemFacts[] {
    return this.#all(RULES).map(rowToItem);
  }

  naming(pathTerms: readonly string[], limit: number): readonly ItemFacts[] {
    return this.#all(NAMING, `files : "${pathTerms.join(' ')}"`, limit).map(rowToItem);
  }

  byBeginning(text: string): readonly ItemFacts[] {
    const end = `${text}\uffff`;
    return this.#all(BY_BEGINNING, text, end, text, end).map(rowToItem);
  }

  shortIdsBeside(shortId: string): readonly string[] {
    const row = this.#get(SHORT_IDS_BESIDE, shortId, shortId);
    return [row?.['before'], row?.['after']].filter((other) => typeof other === 'string');
  }

  body({ root, path }: FileRef): string | undefined {
    return this.#get('SELECT body FROM items WHERE root = ? AND path = ?', root, path)?.['body'] as string | undefined;
  }

  count(filter: ItemFilter = {}): number {
    const { sql, values } = conditionOf(filter);
    return Number(this.#get(`SELECT count(*) AS n FROM items i WHERE ${sql}`, ...values)?.['n'] ?? 0);
  }

  recent(filter: ItemFilter, limit: number, offset = 0): readonly ItemFacts[] {
    const { sql, values } = conditionOf(filter);
    // Otherwise SQLite would sort all matches, perhaps a hundred thousand, to return a dozen.
    const by = filter.category !== undefined ? '' : `INDEXED BY ${filter.status === 'retired' ? 'items_retired' : 'items_updated'}`;
    const newest = `SELECT i.rowid AS row FROM items i ${by} WHERE ${sql} ORDER BY i.updated DESC, i.root, i.path DESC LIMIT ? OFFSET ?`;
    const joined = this.#get(`SELECT group_concat(${ITEM_JSON}) AS items FROM (${newest}) n CROSS JOIN items i ON i.rowid = n.row`, ...values, limit, offset);
    return itemsOf((joined?.['items'] ?? '') as string);
  }

  search(terms: readonly string[], filter: ItemFilter, limit: number, held?: readonly number[]): readonly ItemHit[] {
    const selective = held ? this.#selectiveTerms(terms, held) : this.#selectiveTerms([...new Set(terms)]);
    if (selective.length === 0) return [];
    const { sql, values } = conditionOf(filter);
    const match = selective.map((term) => `"${term}"`).join(' OR ');
    // Ranked inside FTS5 first: joining every match to its item would cost more than ranking them.
    for (let candidates = limit * 2; ; candidates *= 16) {
      const rows = this.#all(
        `SELECT ${ITEM_COLUMNS}, i.body, i.pieces, t.score FROM (SELECT rowid, -${RANK} AS score FROM item_terms WHERE item_terms MATCH ? ORDER BY score DESC LIMIT ?) t
         JOIN items i ON i.rowid = t.rowid WHERE ${sql} ORDER BY t.score DESC, i.updated DESC, i.path LIMIT ?`,
        match,
        candidates,
        ...values,
        limit,
      );
      if (rows.length < limit && candidates < this.fileCount()) continue;
      return rows.map((row) => ({ item: withTexts(row), score: row['score'] as number }));
    }
  }

  holding(terms: readonly string[]): readonly number[] {
    return terms.map((term) => Number(this.#get('SELECT doc FROM item_vocabulary WHERE term = ?', term)?.['doc'] ?? 0));
  }

  words(from: string, to: string): readonly string[] {
    return this.#all('SELECT word FROM words WHERE word >= ? AND word < ? ORDER BY word', from, to).map((row) => row['word'] as string);
  }

  update(work: (change: IndexChange) => void): void {
    if (!this.#wrote) prepareToWrite(this.#database);
    this.#database.exec('BEGIN IMMEDIATE');
    this.#put = 0;
    // Set before the work, so that closing truncates the log even after a full disk.
    this.#wrote = true;
    try {
      work(this.#change);
      if (this.#put >= MANY_PUT) this.#database.exec("INSERT INTO item_terms (item_terms) VALUES ('optimize')");
      this.#database.exec('COMMIT');
    } catch (cause) {
      rollBack(this.#database);
      throw cause;
    }
  }

  async guarded<T>(work: () => Promise<T>, refill: () => Promise<void>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (!isDamage(cause) && !isUnwritable(cause)) throw cause;
      // Without a writable disk, an index in memory still answers.
      if (isDamage(cause)) this.recreate();
      else {
        this.close();
        this.#database = openIndexDatabase(':memory:', this.#busyMs);
      }
      await refill();
      return work();
    }
  }

  compact(): void {
    this.#wrote = true;
    compactDatabase(this.#database);
  }

  recreate(): void {
    // Skips the checkpoint on close: the file is deleted next.
    this.#wrote = false;
    this.close();
    removeIndex(this.#file);
    this.#database = openIndexDatabase(this.#file, this.#busyMs);
  }

  /** Whether closing has nothing to write back: a process that only read may simply end. */
  get isClean(): boolean {
    return !this.#wrote;
  }

  close(): void {
    // The next process that opens the index would have to read a remaining log again.
    try {
      if (this.#wrote) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (cause) {
      if (!isUnwritable(cause)) throw cause;
    }
    this.#wrote = false;
    this.#statements = new Map();
    this.#database.close();
  }

  readonly #change: IndexChange = {
    putFile: (file, item) => {
      if (!this.file(file)) this.#addToCount(1);
      this.#run(
        `INSERT INTO files (root, path, folder, mtime, size, hash, journaled, problem, secrets) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET mtime = excluded.mtime, size = excluded.size, hash = excluded.hash, problem = excluded.problem, secrets = excluded.secrets, journaled = coalesce(excluded.journaled, journaled)`,
        file.root,
        file.path,
        folderOf(file.path),
        file.mtimeMs,
        file.size,
        file.hash,
        file.journaled ?? null,
        file.problem ?? null,
        item?.secrets?.join(' ') ?? null,
      );
      this.#removeItem(file);
      if (item) this.#putItem(item);
    },
    removeFile: (place) => {
      if (this.file(place)) this.#addToCount(-1);
      this.#run('DELETE FROM files WHERE root = ? AND folder = ? AND path = ?', place.root, folderOf(place.path), place.path);
      this.#removeItem(place);
    },
    journaled: ({ root, path }, hash) =>
      this.#run('UPDATE files SET journaled = ? WHERE root = ? AND folder = ? AND path = ?', hash ?? null, root, folderOf(path), path),
    folder: ({ root, folder, mtimeMs }) => this.#run('INSERT OR REPLACE INTO folders (root, folder, mtime) VALUES (?, ?, ?)', root, folder, mtimeMs),
    position: (journalPosition) => this.#run("INSERT OR REPLACE INTO meta (key, value) VALUES ('journal', ?)", journalPosition),
    views: (state) => this.#run("INSERT OR REPLACE INTO meta (key, value) VALUES ('views', ?)", JSON.stringify({ ...this.views(), ...state })),
    clear: () => {
      for (const table of ['files', 'folders', 'items', 'words', 'meta']) this.#database.exec(`DELETE FROM ${table}`);
      // Deleted row by row, terms would stay in the full-text index until it is merged.
      this.#database.exec("INSERT INTO item_terms (item_terms) VALUES ('delete-all')");
    },
  };

  /** The count is stored, because counting a large table costs more than a search. */
  #addToCount(by: number): void {
    this.#run("INSERT INTO meta (key, value) VALUES ('files', ?) ON CONFLICT DO UPDATE SET value = value + excluded.value", by);
  }

  #putItem(item: IndexItem): void {
    this.#put++;
    const { lastInsertRowid } = this.#statement(INSERT_ITEM).run(...itemValues(item));
    const { title, tags, body, files } = item.terms;
    this.#run('INSERT INTO item_terms (rowid, title, tags, body, files) VALUES (?, ?, ?, ?, ?)', lastInsertRowid, title, tags, body, files);
    for (const word of item.words) this.#run('INSERT OR IGNORE INTO words (word) VALUES (?)', word);
  }

  #removeItem({ root, path }: FileRef): void {
    const row = this.#get('SELECT rowid FROM items WHERE root = ? AND path = ?', root, path);
    if (!row) return;
    this.#run('DELETE FROM item_terms WHERE rowid = ?', row['rowid']);
    this.#run('DELETE FROM items WHERE rowid = ?', row['rowid']);
  }

  #selectiveTerms(terms: readonly string[], held?: readonly number[]): readonly string[] {
    const total = this.fileCount();
    return total < COMMON_FLOOR ? terms : selectiveTerms(terms, held ?? this.holding(terms), total);
  }

  #meta(key: 'journal' | 'files' | 'views'): unknown {
    return this.#get('SELECT value FROM meta WHERE key = ?', key)?.['value'];
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #get(sql: string, ...values: readonly unknown[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #all(sql: string, ...values: readonly unknown[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values);
  }

  #run(sql: string, ...values: readonly unknown[]): void {
    this.#statement(sql).run(...values);
  }
}
