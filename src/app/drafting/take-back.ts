import { asksSame } from '../../capture/drafts/choices.ts';
import { optionIn, questionIn } from '../../capture/drafts/content.ts';
import { namesAgain } from '../../capture/drafts/objections.ts';
import type { SessionSummary } from '../../capture/summary/summary.ts';
import { isAlike } from '../../capture/summary/text.ts';
import type { SessionFacts } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import { moveRecord } from '../write/status.ts';
import { isUsersWord } from '../write/users-word.ts';

/** The questions that a record and a draft answer, where both do. */
function questionsOf(record: MemoryRecord, draft: Draft): readonly [string, string] | undefined {
  const { context = '' } = (draft['content'] ?? {}) as { readonly context?: string };
  if (record.category !== 'decision' || draft['category'] !== 'decision' || !record.content.context.includes('?')) return undefined;
  return [questionIn(record.content.context), questionIn(context)];
}

/** Whether two decisions answer different questions. */
export function answersOther(record: MemoryRecord, draft: Draft): boolean {
  const questions = questionsOf(record, draft);
  return questions?.[1].includes('?') === true && !asksSame(...questions);
}

/** Whether two decisions answer one question, and differently. */
export function answersAnew(record: MemoryRecord, draft: Draft): boolean {
  const { decision = '' } = (draft['content'] ?? {}) as { readonly decision?: string };
  const questions = questionsOf(record, draft);
  if (record.category !== 'decision' || questions === undefined) return false;
  return asksSame(...questions) && optionIn(record.content.decision).toLowerCase() !== optionIn(decision).toLowerCase();
}

const REPLACED = 'Replaced by a later choice';

const wordsOf = (record: MemoryRecord): string => {
  if (record.category === 'decision') return `${record.content.context} ${optionIn(record.content.decision)}`;
  return record.category === 'constraint' ? record.content.rule : record.title;
};

/** A record that only Holdfast, and agents at its request, have written. */
interface Followed {
  readonly record: MemoryRecord;
  /** Made by rules, whose statements a session may take back; what an agent saved in a turn is judged only by what the user says against it later. */
  readonly byRules: boolean;
}

/** Why a record no longer holds after a session; undefined while it does. */
function reasonFor({ record, byRules }: Followed, { sessionId, endedAt }: SessionFacts, digest: SessionSummary, drafts: readonly Draft[]): string | undefined {
  const { origin } = record;
  const { statements, deadEnds } = digest;
  if (origin?.session_id === sessionId) {
    if (!byRules) return deadEnds.reasonAgainst(`${record.title} ${wordsOf(record)}`, epochOf(record.updated_at ?? record.created_at) ?? 0);
    const isStated = statements.all.some(({ messageId }) => origin.message_ids?.includes(messageId) === true);
    return isStated ? undefined : 'Taken back later in the session';
  }
  // A session that was over before a record was made says nothing against it, however late it is read.
  if ((epochOf(endedAt) ?? Infinity) < (epochOf(record.created_at) ?? 0)) return undefined;
  // A session that states it again, such as a resumed one, does not replace it, whatever else it chose.
  if (drafts.some((draft) => draft['title'] === record.title)) return undefined;
  const anew = drafts.find((draft) => answersAnew(record, draft));
  if (anew) return `${REPLACED}: ${String(anew['title'])}`;
  const withdrawal = statements.withdrawals.find((sentence) => namesAgain(sentence, wordsOf(record)));
  return withdrawal === undefined ? undefined : `The user gave it up: ${withdrawal}`;
}

/** The actor that created each file, for files that capture created. */
async function makersOf({ store }: Memory): Promise<ReadonlyMap<string, string>> {
  const made = (await store.journal.entries()).filter(({ op, actor }) => op === 'create' && (actor === 'capture' || actor === 'agent-draft'));
  return new Map(made.map(({ root, path, actor }) => [`${root}:${path}`, actor]));
}

async function stillDrafted(memory: Memory, item: ItemFacts, maker: string): Promise<Followed | undefined> {
  const current = await currentRecord(memory, item);
  if (!current.ok || (await isUsersWord(memory, current.value.file))) return undefined;
  const { record } = current.value;
  return { record, byRules: maker === 'capture' && record.origin?.verified === 'rules' };
}

/** Retires records that were saved automatically and that a session withdrew or replaced; never one that holds the user's words. */
export async function retireTakenBack(memory: Memory, facts: SessionFacts, digest: SessionSummary, drafts: readonly Draft[]): Promise<void> {
  await catchUp(memory);
  const waiting = memory.index.items({ kind: 'record', waits: true });
  const makers = waiting.length === 0 ? new Map<string, string>() : await makersOf(memory);
  for (const item of waiting) {
    const maker = makers.get(`${item.root}:${item.path}`);
    const followed = maker === undefined ? undefined : await stillDrafted(memory, item, maker);
    const reason = followed && reasonFor(followed, facts, digest, drafts);
    if (reason !== undefined) await moveRecord(memory, 'retire', item, { actor: 'capture', reason });
  }
}

const SIGNIFICANT = /[\p{L}\p{N}]{3,}/gu;

/** Whether a decision is for the very thing that a later one turned down. */
function turnedDown(record: MemoryRecord, options: readonly string[]): boolean {
  if (record.category !== 'decision') return false;
  const chosen = new Set(optionIn(record.content.decision).toLowerCase().match(SIGNIFICANT) ?? []);
  return options.some((option) => {
    const words = option.toLowerCase().match(SIGNIFICANT) ?? [];
    return words.length > 0 && words.every((word) => chosen.has(word)) && !/\b(?:instead of|rather than|not|no longer)\b/i.test(record.content.decision);
  });
}

/** The decision of a later session that answers a draft's question otherwise: sessions may be read in any order. */
export async function answeredLater(memory: Memory, draft: Draft, statedAt: string | undefined): Promise<MemoryRecord | undefined> {
  if (draft['category'] !== 'decision' || statedAt === undefined) return undefined;
  for (const item of memory.index.items({ kind: 'record', category: 'decision', status: 'active' })) {
    if (!isAfter(item.createdAt, statedAt)) continue;
    const current = await currentRecord(memory, item);
    if (current.ok && answersAnew(current.value.record, draft)) return current.value.record;
  }
  return undefined;
}

const isAfter = (at: string, statedAt: string | undefined): boolean => (epochOf(at) ?? 0) > (epochOf(statedAt) ?? Infinity);

/** The decisions that a draft replaces: earlier ones that answer its question otherwise, and those for an option that it turns down. */
export async function replacedBy(memory: Memory, draft: Draft, statedAt: string | undefined): Promise<readonly string[]> {
  if (draft['category'] !== 'decision') return [];
  const content = (draft['content'] ?? {}) as { readonly context?: string; readonly alternatives?: readonly { readonly option: string }[] };
  const { context = '', alternatives = [] } = content;
  const about = `${String(draft['title'])} ${context}`;
  const options = alternatives.map(({ option }) => option);
  const names: string[] = [];
  for (const item of memory.index.items({ kind: 'record', category: 'decision' })) {
    if (item.supersededBy !== undefined || item.status === 'archived' || item.trust === 'quarantined' || isAfter(item.createdAt, statedAt)) continue;
    const current = await currentRecord(memory, item);
    if (!current.ok) continue;
    const { record } = current.value;
    const isAnew = answersAnew(record, draft) && (item.status === 'active' || record.retired_reason?.startsWith(REPLACED) === true);
    if (isAnew || (item.status === 'active' && isAlike(record.title, about) && turnedDown(record, options))) names.push(`decision/${record.id}`);
  }
  return names;
}
