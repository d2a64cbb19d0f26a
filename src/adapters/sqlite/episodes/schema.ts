/** Raise it with every change below, and of what words are taken for one: the index of another version is made again from the archive. */
export const EPISODES_VERSION = 8;

export const EPISODES_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE units (
  unit INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, client TEXT NOT NULL, project TEXT, branch TEXT, version TEXT, title TEXT,
  started INTEGER, ended INTEGER, source TEXT NOT NULL, archive TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0, prompts INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0,
  committed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX units_ended ON units (ended);
CREATE TABLE messages (
  number INTEGER PRIMARY KEY, unit INTEGER NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL, size INTEGER NOT NULL, at INTEGER, speaker TEXT, asks INTEGER,
  first INTEGER, last INTEGER, thought INTEGER, UNIQUE (unit, id)
);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, terms BLOB NOT NULL, text TEXT NOT NULL);
CREATE TABLE terms (term TEXT PRIMARY KEY, number INTEGER NOT NULL, chunks INTEGER NOT NULL, block INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE postings (term INTEGER NOT NULL, block INTEGER NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (term, block)) WITHOUT ROWID;
CREATE TABLE files (unit INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (unit, path)) WITHOUT ROWID;
CREATE TABLE commands (message INTEGER NOT NULL, nth INTEGER NOT NULL, command TEXT NOT NULL, PRIMARY KEY (message, nth)) WITHOUT ROWID;
CREATE TABLE failures (action TEXT NOT NULL, at INTEGER NOT NULL, unit INTEGER NOT NULL, message TEXT NOT NULL, cause TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (action, at, unit, message)) WITHOUT ROWID;
CREATE TABLE exchanges (first INTEGER PRIMARY KEY, unit INTEGER NOT NULL, terms INTEGER NOT NULL, chars INTEGER NOT NULL);
CREATE INDEX exchanges_unit ON exchanges (unit, first);
CREATE TABLE rules (message INTEGER NOT NULL, nth INTEGER NOT NULL, unit INTEGER NOT NULL, weight REAL NOT NULL, text TEXT NOT NULL, PRIMARY KEY (message, nth)) WITHOUT ROWID;
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE speakers (name TEXT PRIMARY KEY) WITHOUT ROWID;
`;
