export const ITEM_COLUMNS =
  'i.kind, i.root, i.path, i.id, i.category, i.title, i.tags, i.status, i.trust, i.created, i.updated, i.written, i.files, i.superseded_by, i.applies_to, i.waits';

export const RULES = `SELECT ${ITEM_COLUMNS} FROM items i WHERE i.applies_to IS NOT NULL AND i.status = 'active' ORDER BY i.updated DESC`;

export const NAMING = `SELECT ${ITEM_COLUMNS} FROM items i WHERE i.rowid IN (SELECT rowid FROM item_terms WHERE item_terms MATCH ?) AND i.status = 'active'
  ORDER BY i.updated DESC LIMIT ?`;

export const BY_BEGINNING = `SELECT ${ITEM_COLUMNS} FROM items i
  WHERE i.rowid IN (SELECT rowid FROM items WHERE id >= ? AND id < ? UNION SELECT rowid FROM items WHERE short_id >= ? AND short_id < ?)
  ORDER BY i.kind DESC, i.root, i.path`;

export const SHORT_IDS_BESIDE =
  'SELECT (SELECT max(short_id) FROM items WHERE short_id < ?) AS before, (SELECT min(short_id) FROM items WHERE short_id > ?) AS after';

export const INSERT_ITEM = `INSERT INTO items
  (kind, root, path, id, category, title, tags, status, trust, created, updated, written, files, superseded_by, short_id, applies_to, waits, body, pieces)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** A row as one text, because reading it value by value costs more than finding it. */
export const ITEM_JSON = `json_object(${ITEM_COLUMNS.split(', ')
  .map((column) => `'${column.slice(2)}', ${column}`)
  .join(', ')})`;

/** Columns as one text each, which takes a tenth of the time of rows. Times are texts in it, because JSON would round them. */
export const STATES =
  "SELECT root, json_group_array(path) AS paths, json_group_array(size) AS sizes, json_group_array(printf('%!.17g', mtime)) AS times FROM files";
