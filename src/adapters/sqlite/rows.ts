import type { IndexedFile, IndexItem, ItemFacts, ItemFilter } from '../../core/ports/index.ts';
import type { FileState, FileRef, RootName } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import type { RecordStatus, Trust } from '../../core/record/schema.ts';
import { longShortId } from '../../core/record/short-id.ts';

type Row = Readonly<Record<string, unknown>>;

export const ITEM_COLUMNS =
  'i.kind, i.root, i.path, i.id, i.category, i.title, i.tags, i.status, i.trust, i.created, i.updated, i.files, i.superseded_by, i.applies_to, i.waits';

export function rowToItem(row: Row): ItemFacts {
  return {
    kind: row['kind'] as 'record' | 'document',
    root: row['root'] as RootName,
    path: row['path'] as string,
    id: row['id'] as string,
    title: row['title'] as string,
    tags: JSON.parse(row['tags'] as string) as string[],
    status: row['status'] as RecordStatus,
    trust: row['trust'] as Trust,
    createdAt: row['created'] as string,
    updatedAt: row['updated'] as string,
    files: JSON.parse(row['files'] as string) as string[],
    ...(row['category'] === null ? {} : { category: row['category'] as Category }),
    ...(row['waits'] === 1 && { waits: true as const }),
    ...(row['superseded_by'] === null ? {} : { supersededBy: row['superseded_by'] as string }),
    ...(row['applies_to'] === null ? {} : { appliesTo: JSON.parse(row['applies_to'] as string) as string[] }),
  };
}

export const INSERT_ITEM = `INSERT INTO items
  (kind, root, path, id, category, title, tags, status, trust, created, updated, files, superseded_by, short_id, applies_to, waits, body, pieces)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The values of `INSERT_ITEM`, in its order. */
export const itemValues = (item: IndexItem): readonly (string | number | null)[] => [
  item.kind,
  item.root,
  item.path,
  item.id,
  item.category ?? null,
  item.title,
  JSON.stringify(item.tags),
  item.status,
  item.trust,
  item.createdAt,
  item.updatedAt,
  JSON.stringify(item.files),
  item.supersededBy ?? null,
  item.category === undefined ? null : longShortId(item.category, item.id),
  item.appliesTo === undefined ? null : JSON.stringify(item.appliesTo),
  item.waits ? 1 : 0,
  item.body,
  item.pieces,
];

/** A row as one text, because handing it over value by value costs more than finding it. */
export const ITEM_JSON = `json_object(${ITEM_COLUMNS.split(', ')
  .map((column) => `'${column.slice(2)}', ${column}`)
  .join(', ')})`;

/** Of rows of `ITEM_JSON`, joined by commas. */
export const itemsOf = (joined: string): readonly ItemFacts[] => (JSON.parse(`[${joined}]`) as readonly Row[]).map(rowToItem);

/** Columns as one text each, which takes a tenth of the time of rows. JSON would round the times, so that they are texts in it. */
export const STATES =
  "SELECT root, json_group_array(path) AS paths, json_group_array(size) AS sizes, json_group_array(printf('%!.17g', mtime)) AS times FROM files";

export function statesOf(row: Row): (FileRef & FileState)[] {
  const [paths, sizes, times] = ['paths', 'sizes', 'times'].map((column) => JSON.parse(row[column] as string) as unknown[]);
  const root = row['root'] as RootName;
  return (paths as string[]).map((path, nth) => ({ root, path, mtimeMs: Number(times?.[nth]), size: sizes?.[nth] as number }));
}

/** The folder a file lies in, as the index keeps it beside its path. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export function fileOf(row: Row): IndexedFile {
  return {
    root: row['root'] as RootName,
    path: row['path'] as string,
    mtimeMs: row['mtime'] as number,
    size: row['size'] as number,
    hash: row['hash'] as string,
    ...(row['journaled'] === null ? {} : { journaled: row['journaled'] as string }),
    ...(row['problem'] === null ? {} : { problem: row['problem'] as string }),
    ...(row['secrets'] === null ? {} : { secrets: (row['secrets'] as string).split(' ') }),
  };
}

const CONDITIONS: Readonly<Record<keyof ItemFilter, string>> = {
  kind: 'i.kind = ?',
  category: 'i.category = ?',
  status: 'i.status = ?',
  root: 'i.root = ?',
  waits: 'i.waits = 1',
  since: 'i.updated >= ?',
  until: 'i.updated < ?',
};

/** The filter as a condition to put after WHERE, and its values. */
export function conditionOf(filter: ItemFilter): { readonly sql: string; readonly values: readonly string[] } {
  const set = (Object.keys(CONDITIONS) as (keyof ItemFilter)[]).filter((key) => filter[key] !== undefined);
  const values = set.filter((key) => CONDITIONS[key].includes('?')).map((key) => filter[key] as string);
  return { sql: set.length === 0 ? 'TRUE' : set.map((key) => CONDITIONS[key]).join(' AND '), values };
}
