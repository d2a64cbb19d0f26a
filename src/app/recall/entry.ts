import { epochOf } from '../../core/instant.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { RecallEntry } from '../../recall/inject/entry.ts';
import type { Memory } from '../memory/memory.ts';
import { shortId, shortName } from '../read/resolve.ts';
import { type RecallContext, readSettled } from './recall-context.ts';
import { gistOf } from './gist.ts';
import { headOf, type RecordHead } from './head.ts';

/** A record read for injection: its line, its session, and what it replaces. */
export interface RecordText {
  readonly entry: RecallEntry;
  readonly session?: string;
  readonly supersedes: readonly string[];
}

export const recordName = (item: Pick<ItemFacts, 'category' | 'id'>): string => (item.category ? `${item.category}/${item.id}` : item.id);

/** Where a root's records come from, unless it is this project's own memory. */
export const originOf = (root: RootName): Pick<RecallEntry, 'from'> =>
  root === 'user' ? { from: 'user' } : root === 'shared' || root === 'folder' ? { from: 'repository' } : {};

/** Reads a record's file; undefined when it is gone. */
export async function readEntry(memory: Memory, item: ItemFacts, recallContext: Pick<RecallContext, 'changedAt'>): Promise<RecordText | undefined> {
  const file = item.category === undefined ? undefined : await readSettled(memory, item);
  if (!file || item.category === undefined) return undefined;
  const read = headOf(item.path, file.text);
  const head = isForeign(item.root) ? { ...read, supersedes: read.supersedes.filter((name) => isForeignRecord(memory, name)) } : read;
  const { gist, detail } = gistOf(item.category, item.path, file.text, item.title);
  return {
    entry: {
      id: recordName(item),
      shortId: shortId(memory, item),
      category: item.category,
      title: item.title,
      updatedAt: item.updatedAt,
      trust: item.trust,
      gist,
      detail,
      stale: staleFiles(memory, head, item.updatedAt, recallContext),
      ...(head.supersedes.length > 0 && { replaces: head.supersedes.map((name) => shortName(memory, name)) }),
      ...originOf(item.root),
    },
    supersedes: head.supersedes,
    ...(head.session !== undefined && { session: head.session }),
  };
}

/** Whether anyone who commits to the repository can write the records of a root. */
export const isForeign = (root: RootName | undefined): boolean => root === 'shared' || root === 'folder';

/** A repository's record may replace records of the repository, but none of the user's. */
function isForeignRecord(memory: Memory, name: string): boolean {
  const items = memory.index.byId(name.slice(name.indexOf('/') + 1));
  return items.length > 0 && items.every(({ root }) => isForeign(root));
}

/** Files whose content has changed since the record was written. Only those touched since are hashed. */
function staleFiles(memory: Memory, { evidence }: RecordHead, writtenAt: string, { changedAt }: Pick<RecallContext, 'changedAt'>): readonly string[] {
  const written = epochOf(writtenAt) ?? 0;
  const touched = evidence.filter(({ path, blob }) => blob !== undefined && (changedAt(path) ?? Number.POSITIVE_INFINITY) > written);
  if (touched.length === 0) return [];
  const now = new Map(memory.evidenceOf(touched.map(({ path }) => path)).map(({ path, blob }) => [path, blob]));
  return touched.filter(({ path, blob }) => now.get(path) !== blob).map(({ path }) => path);
}
