import type { ItemFacts } from '../../core/ports/index.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isOldDraft, waitsForReview } from '../../core/trust/review.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { gistOf } from '../recall/gist.ts';
import { recordName } from '../recall/entry.ts';
import { resolveItem, shortId } from '../read/resolve.ts';
import { currentRecord } from '../write/current.ts';

/** A record that was saved automatically or is quarantined, and waits for the user's review. */
export interface InboxItem {
  readonly item: ItemFacts;
  readonly record: MemoryRecord;
  readonly name: string;
  readonly shortId: string;
  /** Its main statement, and the rest of its content. */
  readonly gist: string;
  readonly detail: string;
  /** Drafted by the rules of an earlier version. */
  readonly old: boolean;
}

/** How many records wait; one index query. */
export const waitingCount = ({ index }: Pick<Memory, 'index'>): number => index.count({ kind: 'record', waits: true });

const newestFirst = (a: InboxItem, b: InboxItem): number =>
  a.record.created_at === b.record.created_at ? (a.name < b.name ? -1 : 1) : a.record.created_at < b.record.created_at ? 1 : -1;

/** Everything that waits, by the date of the event, newest first. */
export async function listInbox(memory: Memory): Promise<readonly InboxItem[]> {
  await catchUp(memory);
  const items: InboxItem[] = [];
  for (const item of memory.index.items({ kind: 'record', waits: true })) {
    const entry = await inboxItem(memory, item);
    if (entry) items.push(entry);
  }
  return items.toSorted(newestFirst);
}

async function inboxItem(memory: Memory, item: ItemFacts): Promise<InboxItem | undefined> {
  const current = await currentRecord(memory, item);
  // Read the file, which may have changed since it was indexed.
  if (!current.ok || !waitsForReview(current.value.record)) return undefined;
  const { record, file } = current.value;
  const { gist, detail } = gistOf(record.category, file.path, file.text, record.title);
  return { item, record, name: recordName(item), shortId: shortId(memory, item), gist, detail, old: isOldDraft(record) };
}

/** The waiting records with these ids, each once; refuses an id that does not wait. */
export async function inboxNamed(memory: Memory, ids: readonly string[]): Promise<Result<readonly InboxItem[]>> {
  await catchUp(memory);
  const items = new Map<string, InboxItem>();
  for (const id of ids) {
    const resolved = await resolveItem(memory, id);
    if (!resolved.ok) return resolved;
    const entry = await inboxItem(memory, resolved.value);
    if (!entry)
      return refuse('INPUT_ERROR', `${recordName(resolved.value)} does not wait in the inbox.`, {
        hint: 'holdfast inbox lists what waits; holdfast show reads any record',
      });
    items.set(`${entry.item.root}:${entry.item.path}`, entry);
  }
  return ok([...items.values()]);
}
