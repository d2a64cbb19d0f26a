import type { ItemFacts } from '../../core/ports/index.ts';
import type { InjectionEvent, InjectionLog, Verdicts } from '../../core/ports/injection-log.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { MemoryRecord, Origin, RecordStatus, Trust } from '../../core/record/schema.ts';
import { waitsForReview } from '../../core/trust/review.ts';
import { ok, type Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import type { Memory } from '../memory/memory.ts';
import { recordName } from '../recall/entry.ts';
import { shortId } from '../read/resolve.ts';
import { show, type Shown } from '../read/show.ts';

/** Another record, as a link to it. */
export interface RecordLink {
  readonly id: string;
  readonly title: string;
  readonly status: RecordStatus | 'missing';
}

/** A row of a list of records and documents. */
export interface ItemRow {
  readonly id: string;
  readonly shortId: string;
  readonly kind: 'record' | 'document';
  readonly category?: string;
  readonly title: string;
  readonly status: RecordStatus;
  readonly trust: Trust;
  readonly tags: readonly string[];
  readonly root: RootName;
  readonly updatedAt: string;
  readonly waits: boolean;
}

/** A record or document with the facts that the page shows beside its text. */
export interface RecordPage extends ItemRow {
  readonly createdAt: string;
  /** The file's text for editing, and its hash when it was read. */
  readonly text: string;
  readonly hash: string;
  /** Its Markdown without the front matter. */
  readonly body: string;
  readonly file: string;
  readonly appliesTo: readonly string[];
  readonly origin?: Origin;
  readonly retiredReason?: string;
  /** The chain of replacements from oldest to newest, this record included; empty if there is no other record in it. */
  readonly chain: readonly RecordLink[];
  readonly files: readonly { readonly path: string; readonly state: 'same' | 'changed' | 'missing' | 'unknown'; readonly isDiffable: boolean }[];
  readonly verdicts: Verdicts;
  readonly injected: readonly { readonly at: string; readonly session: string; readonly event: InjectionEvent; readonly score: number }[];
}

const NO_VERDICTS: Verdicts = { useful: 0, wrong: 0, outdated: 0 };
const LONGEST_CHAIN = 20;
const INJECTIONS = 5_000;
const INJECTIONS_SHOWN = 50;

export const rowOf = (memory: Pick<Memory, 'index'>, item: ItemFacts): ItemRow => ({
  id: item.category === undefined ? item.path : recordName(item),
  shortId: shortId(memory, item),
  kind: item.kind,
  ...(item.category !== undefined && { category: item.category }),
  title: item.title,
  status: item.status,
  trust: item.trust,
  tags: item.tags,
  root: item.root,
  updatedAt: item.updatedAt,
  waits: item.waits === true,
});

/** Everything about one record or document. */
export async function recordPage(memory: Memory, log: InjectionLog | undefined, name: string): Promise<Result<RecordPage>> {
  const result = await show(memory, name);
  if (!result.ok) return result;
  const { item, record, text, hash, file, stale } = result.value;
  const row = rowOf(memory, item);
  return ok({
    ...row,
    waits: record !== undefined && waitsForReview(record),
    createdAt: item.createdAt,
    text,
    hash,
    body: bodyOf(result.value),
    file,
    appliesTo: item.appliesTo ?? [],
    ...(record?.origin && { origin: record.origin }),
    ...(record?.retired_reason && { retiredReason: record.retired_reason }),
    chain: record ? await chainOf(memory, item, record) : [],
    files: filesOf(memory, item, record, stale),
    verdicts: log?.verdicts([row.id]).get(row.id) ?? NO_VERDICTS,
    injected: (log?.injections(undefined, INJECTIONS) ?? [])
      .flatMap(({ at, session, event, items }) => items.filter(({ id }) => id === row.id).map(({ score }) => ({ at, session, event, score })))
      .slice(0, INJECTIONS_SHOWN),
  });
}

const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/;

function bodyOf({ item, record, text }: Shown): string {
  const markdown = record && item.path.endsWith('.json') ? renderRecordFile('record.md', record) : text;
  return markdown.replace(FRONT_MATTER, '').trim();
}

function filesOf(memory: Memory, item: ItemFacts, record: MemoryRecord | undefined, stale: readonly string[]): RecordPage['files'] {
  const known = new Map((record?.evidence ?? []).map(({ path, blob }) => [path, blob]));
  return [...new Set([...(record?.related_files ?? item.files), ...known.keys()])].map((path) => ({
    path,
    state: !memory.projectFileExists(path) ? 'missing' : stale.includes(path) ? 'changed' : known.get(path) === undefined ? 'unknown' : 'same',
    isDiffable: stale.includes(path) && known.get(path) !== undefined,
  }));
}

/** The record with this name, in any root. */
function itemNamed({ index }: Memory, name: string): ItemFacts | undefined {
  const slash = name.indexOf('/');
  return index.byId(name.slice(slash + 1)).find((item) => slash < 0 || item.category === name.slice(0, slash));
}

/** The records that it replaced, oldest first, then itself, then those that replaced it. */
async function chainOf(memory: Memory, item: ItemFacts, record: MemoryRecord): Promise<readonly RecordLink[]> {
  const linkOf = (name: string): RecordLink => {
    const linked = itemNamed(memory, name);
    return linked ? { id: recordName(linked), title: linked.title, status: linked.status } : { id: name, title: name, status: 'missing' };
  };
  const visited = new Set([recordName(item)]);
  const isNew = (name: string | undefined): name is string => name !== undefined && !visited.has(name) && visited.size < LONGEST_CHAIN;
  const later: RecordLink[] = [];
  for (let next = record.superseded_by ?? item.supersededBy; isNew(next); next = itemNamed(memory, next)?.supersededBy) {
    visited.add(next);
    later.push(linkOf(next));
  }
  const earlier: RecordLink[] = [];
  const open = [...(record.supersedes ?? [])];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (!isNew(name)) continue;
    visited.add(name);
    earlier.unshift(linkOf(name));
    const before = await show(memory, name);
    if (before.ok) open.push(...(before.value.record?.supersedes ?? []));
  }
  return earlier.length + later.length === 0 ? [] : [...earlier, linkOf(recordName(item)), ...later];
}
