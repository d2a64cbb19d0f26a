/** Raise it with every change below or of word stems: an index of another version is rebuilt from the files. */
export const INDEX_VERSION = 16;

/** The weights of a word in title, tags, body and files. */
export const RANK = 'bm25(item_terms, 8.0, 5.0, 1.0, 3.0)';

export const INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE folders (root TEXT NOT NULL, folder TEXT NOT NULL, mtime REAL NOT NULL, PRIMARY KEY (root, folder)) WITHOUT ROWID;
CREATE TABLE files (
  root TEXT NOT NULL, path TEXT NOT NULL, folder TEXT NOT NULL, mtime REAL NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL, journaled TEXT, problem TEXT, secrets TEXT,
  PRIMARY KEY (root, folder, path)
) WITHOUT ROWID;
CREATE INDEX files_hash ON files (hash);
CREATE INDEX files_strange ON files (root) WHERE journaled IS NOT hash;
CREATE TABLE items (
  rowid INTEGER PRIMARY KEY, kind TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, category TEXT, title TEXT NOT NULL,
  tags TEXT NOT NULL, status TEXT NOT NULL, trust TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, written TEXT NOT NULL, files TEXT NOT NULL,
  superseded_by TEXT, short_id TEXT, applies_to TEXT, waits INTEGER NOT NULL, body TEXT NOT NULL, pieces TEXT NOT NULL, UNIQUE (root, path)
);
CREATE INDEX items_id ON items (id);
CREATE INDEX items_short_id ON items (short_id);
CREATE INDEX items_waits ON items (waits) WHERE waits = 1;
CREATE INDEX items_rules ON items (updated) WHERE applies_to IS NOT NULL;
CREATE INDEX items_retired ON items (updated) WHERE status = 'retired';
CREATE INDEX items_updated ON items (updated);
CREATE INDEX items_category ON items (category, status, updated);
CREATE VIRTUAL TABLE item_terms USING fts5 (
  title, tags, body, files, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE item_vocabulary USING fts5vocab (item_terms, row);
`;
