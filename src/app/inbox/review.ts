import { utcSeconds } from '../../core/instant.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { SUMMARY_LIMIT, TAG_CAP, type MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { mayConfirm } from '../../core/trust/trust.ts';
import { sameValue } from '../../core/value.ts';
import type { Memory } from '../memory/memory.ts';
import { recordName } from '../recall/entry.ts';
import { currentRecord } from '../write/current.ts';
import { replaceWithin } from '../write/edit.ts';
import { moveWithin } from '../write/status.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';
import { updateWithin } from '../write/update.ts';
import type { Written } from '../write/written.ts';
import type { InboxItem } from './inbox.ts';

const REJECTED = 'Rejected in the inbox';

const byPersonOnly = (verb: string): Result<never> =>
  refuse('SECURITY_ERROR', `Only a person may ${verb} a record, and this is the shell of an agent.`, { hint: 'run holdfast inbox in a terminal of your own' });

/** Processes all records in one write, so that one undo reverts the whole answer. */
function inOneWrite(memory: Memory, author: Author, items: readonly InboxItem[], work: (write: Writing, place: FileRef) => Promise<Result<Written>>) {
  return writing(memory, author, async (write): Promise<Result<readonly Written[]>> => {
    const results: Written[] = [];
    for (const { item } of items) {
      const result = await work(write, { root: item.root, path: item.path });
      if (!result.ok) return result;
      results.push(result.value);
    }
    return ok(results);
  });
}

/** Accepts records: the user confirms that they are true. */
export async function acceptRecords(memory: Memory, items: readonly InboxItem[], author: Author): Promise<Result<readonly Written[]>> {
  if (!mayConfirm(author.actor)) return byPersonOnly('accept');
  return inOneWrite(memory, author, items, (write, place) => moveWithin(memory, write, 'confirm', place));
}

/** Rejects records: they are retired, and can be restored until gc deletes them. */
export const rejectRecords = (memory: Memory, items: readonly InboxItem[], author: Author): Promise<Result<readonly Written[]>> =>
  inOneWrite(memory, author, items, (write, place) => moveWithin(memory, write, 'retire', place, author.reason ?? REJECTED));

/** Saves the user's correction, which also confirms the record. */
export async function acceptEdited(memory: Memory, { item }: InboxItem, text: string, readHash: string, author: Author): Promise<Result<Written>> {
  if (!mayConfirm(author.actor)) return byPersonOnly('accept');
  const place = { root: item.root, path: item.path };
  return writing(memory, author, async (write) => {
    const edited = await replaceWithin(memory, write, { place, text, readHash, actor: author.actor });
    if (!edited.ok) return edited;
    const confirmed = await moveWithin(memory, write, 'confirm', place);
    return confirmed.ok ? ok({ ...confirmed.value, redactions: edited.value.redactions }) : confirmed;
  });
}

/** Merges the second record into the first, confirms the first and retires the second. */
export async function mergeRecords(memory: Memory, [into, from]: readonly [InboxItem, InboxItem], author: Author): Promise<Result<readonly Written[]>> {
  if (!mayConfirm(author.actor)) return byPersonOnly('merge');
  if (into.name === from.name) return refuse('INPUT_ERROR', `${into.name} cannot be merged with itself.`);
  if (into.record.category !== from.record.category)
    return refuse('INPUT_ERROR', `${into.name} and ${from.name} are of two categories.`, { hint: 'edit one and reject the other' });
  return writing(memory, author, async (write) => {
    const [target, other] = [await currentRecord(memory, into.item), await currentRecord(memory, from.item)];
    if (!target.ok) return target;
    if (!other.ok) return other;
    const draft = joined(target.value.record, other.value.record, memory.now());
    const updated = await updateWithin(memory, write, { ...author, place: into.item, draft, hash: target.value.file.hash });
    if (!updated.ok) return updated;
    const confirmed = await moveWithin(memory, write, 'confirm', updated.value.place);
    if (!confirmed.ok) return confirmed;
    const retired = await moveWithin(memory, write, 'retire', from.item, `Merged into ${recordName(updated.value.record)}`);
    return retired.ok ? ok([confirmed.value, retired.value]) : retired;
  });
}

/** Merges two records: joins lists, and appends texts of the second that the first does not contain. */
function joined(one: MemoryRecord, two: MemoryRecord, now: number): Readonly<Record<string, unknown>> {
  const union = (a: readonly unknown[], b: readonly unknown[]): unknown[] => [...a, ...b.filter((value) => !a.some((known) => sameValue(known, value)))];
  const [content, more] = [one.content as Readonly<Record<string, unknown>>, two.content as Readonly<Record<string, unknown>>];
  const fields = Object.keys({ ...content, ...more }).map((field): [string, unknown] => {
    const [a, b] = [content[field], more[field]];
    if (Array.isArray(a) && Array.isArray(b)) return [field, union(a, b)];
    return [field, typeof a === 'string' && typeof b === 'string' ? bothTexts(a, b) : (a ?? b)];
  });
  return {
    ...one,
    tags: union(one.tags, two.tags).slice(0, TAG_CAP),
    related_files: union(one.related_files ?? [], two.related_files ?? []),
    supersedes: union(one.supersedes ?? [], [recordName(two)]),
    content: Object.fromEntries(fields),
    changes: [...(one.changes ?? []), { date: utcSeconds(now), summary: `Merged with ${two.title}`.slice(0, SUMMARY_LIMIT) }],
  };
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Joins two texts unless one contains the other; a single word, such as `high`, stays as the first record has it. */
function bothTexts(a: string, b: string): string {
  if (!b.trim().includes(' ') || plain(a).includes(plain(b))) return a;
  if (plain(b).includes(plain(a))) return b;
  return `${a.trimEnd()}${/[.!?…]$/.test(a.trimEnd()) ? '' : '.'} ${b.trim()}`;
}
