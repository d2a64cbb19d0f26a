import type { FolderState, IndexedFile, IndexItem, ItemFacts, ItemFilter, ItemHit } from '../../core/ports/index.ts';
import type { FileState, FileRef, RootName } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import type { RecordStatus, Trust } from '../../core/record/schema.ts';
import { longShortId } from '../../core/record/short-id.ts';

type Row = Readonly<Record<string, unknown>>;

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
    writtenAt: row['written'] as string,
    files: JSON.parse(row['files'] as string) as string[],
    ...(row['category'] === null ? {} : { category: row['category'] as Category }),
    ...(row['waits'] === 1 && { waits: true as const }),
    ...(row['superseded_by'] === null ? {} : { supersededBy: row['superseded_by'] as string }),
    ...(row['applies_to'] === null ? {} : { appliesTo: JSON.parse(row['applies_to'] as string) as string[] }),
  };
}

/** An item with its body and pieces. */
export const withTexts = (row: Row): ItemHit['item'] => ({ ...rowToItem(row), body: row['body'] as string, packedTexts: row['pieces'] as string });

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
  item.writtenAt,
  JSON.stringify(item.files),
  item.supersededBy ?? null,
  item.category === undefined ? null : longShortId(item.category, item.id),
  item.appliesTo === undefined ? null : JSON.stringify(item.appliesTo),
  item.waits ? 1 : 0,
  item.body,
  item.packedTexts,
];

/** The items of rows of `ITEM_JSON`, joined by commas. */
export const itemsOf = (joined: string): readonly ItemFacts[] => (JSON.parse(`[${joined}]`) as readonly Row[]).map(rowToItem);

export function statesOf(row: Row): (FileRef & FileState)[] {
  const [paths, sizes, times] = ['paths', 'sizes', 'times'].map((column) => JSON.parse(row[column] as string) as unknown[]);
  const root = row['root'] as RootName;
  return (paths as string[]).map((path, nth) => ({ root, path, mtimeMs: Number(times?.[nth]), size: sizes?.[nth] as number }));
}

/** The folder of a file, which the index stores beside its path. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const folderStateOf = (row: Row): FolderState => ({
  root: row['root'] as RootName,
  folder: row['folder'] as string,
  mtimeMs: row['mtime'] as number,
});

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

/** A literal instead of a parameter, because the partial index on retired records requires it. */
const RETIRED = "i.status = 'retired'";

/** The filter as a condition to put after WHERE, and its values. */
export function conditionOf(filter: ItemFilter): { readonly sql: string; readonly values: readonly string[] } {
  const set = (Object.keys(CONDITIONS) as (keyof ItemFilter)[]).filter((key) => filter[key] !== undefined);
  const conditions = set.map((key) => (key === 'status' && filter.status === 'retired' ? RETIRED : CONDITIONS[key]));
  const values = set.filter((_, nth) => conditions[nth]?.includes('?') === true).map((key) => filter[key] as string);
  return { sql: set.length === 0 ? 'TRUE' : conditions.join(' AND '), values };
}

/** In a large index a term in more than this share of the items says little and costs most of the time. */
const COMMON_SHARE = 0.2;

/** The terms worth matching: common ones are left out as long as others remain. */
export function selectiveTerms(terms: readonly string[], counts: readonly number[], total: number): readonly string[] {
  const known = terms.map((term, nth) => ({ term, count: counts[nth] ?? 0 })).filter(({ count }) => count > 0);
  const rare = known.filter(({ count }) => count <= total * COMMON_SHARE);
  return (rare.length > 0 ? rare : known.toSorted((a, b) => a.count - b.count).slice(0, 1)).map(({ term }) => term);
}
