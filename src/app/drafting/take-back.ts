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
import { holdsUserText } from '../write/user-text.ts';

/** The questions that a record and a draft answer; undefined unless both are decisions and the record answers a question. */
function questionsOf(record: MemoryRecord, draft: Draft): readonly [string, string] | undefined {
  const { context = '' } = (draft['content'] ?? {}) as { readonly context?: string };
  if (record.category !== 'decision' || draft['category'] !== 'decision' || !record.content.context.includes('?')) return undefined;
  return [questionIn(record.content.context), questionIn(context)];
}

/** Whether two decisions answer different questions. */
export function answersOtherQuestion(record: MemoryRecord, draft: Draft): boolean {
  const questions = questionsOf(record, draft);
  return questions?.[1].includes('?') === true && !asksSame(...questions);
}

/** Whether two decisions answer the same question differently. */
export function choosesOtherwise(record: MemoryRecord, draft: Draft): boolean {
  const { decision = '' } = (draft['content'] ?? {}) as { readonly decision?: string };
  const questions = questionsOf(record, draft);
  if (record.category !== 'decision' || questions === undefined) return false;
  return asksSame(...questions) && optionIn(record.content.decision).toLowerCase() !== optionIn(decision).toLowerCase();
}

const REPLACED = 'Replaced by a later choice';

const mainText = (record: MemoryRecord): string => {
  if (record.category === 'decision') return `${record.content.context} ${optionIn(record.content.decision)}`;
  return record.category === 'constraint' ? record.content.rule : record.title;
};

/** A record that only Holdfast has written, or an agent at Holdfast's request. */
interface AutomaticRecord {
  readonly record: MemoryRecord;
  /** Made by rules: it is retired when the session no longer states it. What an agent saved in a turn is retired only when the user objects later. */
  readonly byRules: boolean;
}

/** Why a record no longer holds after a session; undefined while it does. */
function reasonFor(
  { record, byRules }: AutomaticRecord,
  { sessionId, endedAt }: SessionFacts,
  digest: SessionSummary,
  drafts: readonly Draft[],
): string | undefined {
  const { origin } = record;
  const { statements, deadEnds } = digest;
  if (origin?.session_id === sessionId) {
    if (!byRules) return deadEnds.reasonAgainst(`${record.title} ${mainText(record)}`, epochOf(record.updated_at ?? record.created_at) ?? 0);
    const isStated = statements.all.some(({ messageId }) => origin.message_ids?.includes(messageId) === true);
    return isStated ? undefined : 'Taken back later in the session';
  }
  // A session that ended before the record was made cannot contradict it, even if it is read later.
  if ((epochOf(endedAt) ?? Infinity) < (epochOf(record.created_at) ?? 0)) return undefined;
  // A session that states it again, such as a resumed one, does not replace it.
  if (drafts.some((draft) => draft['title'] === record.title)) return undefined;
  const newChoice = drafts.find((draft) => choosesOtherwise(record, draft));
  if (newChoice) return `${REPLACED}: ${String(newChoice['title'])}`;
  const withdrawal = statements.withdrawals.find((sentence) => namesAgain(sentence, mainText(record)));
  return withdrawal === undefined ? undefined : `The user gave it up: ${withdrawal}`;
}

/** The actor that created each file, for files that capture created. */
async function creatorsOf({ store }: Memory): Promise<ReadonlyMap<string, string>> {
  const creations = (await store.journal.entries()).filter(({ op, actor }) => op === 'create' && (actor === 'capture' || actor === 'agent-draft'));
  return new Map(creations.map(({ root, path, actor }) => [`${root}:${path}`, actor]));
}

async function automaticRecord(memory: Memory, item: ItemFacts, creator: string): Promise<AutomaticRecord | undefined> {
  const current = await currentRecord(memory, item);
  if (!current.ok || (await holdsUserText(memory, current.value.file))) return undefined;
  const { record } = current.value;
  return { record, byRules: creator === 'capture' && record.origin?.verified === 'rules' };
}

/** Retires automatically saved records that a session withdrew or replaced; never one that holds the user's text. */
export async function retireWithdrawn(memory: Memory, facts: SessionFacts, digest: SessionSummary, drafts: readonly Draft[]): Promise<void> {
  await catchUp(memory);
  const waiting = memory.index.items({ kind: 'record', waits: true });
  const creators = waiting.length === 0 ? new Map<string, string>() : await creatorsOf(memory);
  for (const item of waiting) {
    const creator = creators.get(`${item.root}:${item.path}`);
    const automatic = creator === undefined ? undefined : await automaticRecord(memory, item, creator);
    const reason = automatic && reasonFor(automatic, facts, digest, drafts);
    if (reason !== undefined) await moveRecord(memory, 'retire', item, { actor: 'capture', reason });
  }
}

const SIGNIFICANT = /[\p{L}\p{N}]{3,}/gu;

/** Whether a decision chose an option that a later one rejected. */
function isForRejectedOption(record: MemoryRecord, options: readonly string[]): boolean {
  if (record.category !== 'decision') return false;
  const chosen = new Set(optionIn(record.content.decision).toLowerCase().match(SIGNIFICANT) ?? []);
  return options.some((option) => {
    const words = option.toLowerCase().match(SIGNIFICANT) ?? [];
    return words.length > 0 && words.every((word) => chosen.has(word)) && !/\b(?:instead of|rather than|not|no longer)\b/i.test(record.content.decision);
  });
}

/** The decision of a later session that answers a draft's question differently; sessions may be read in any order. */
export async function laterDecision(memory: Memory, draft: Draft, statedAt: string | undefined): Promise<MemoryRecord | undefined> {
  if (draft['category'] !== 'decision' || statedAt === undefined) return undefined;
  for (const item of memory.index.items({ kind: 'record', category: 'decision', status: 'active' })) {
    if (!isAfter(item.createdAt, statedAt)) continue;
    const current = await currentRecord(memory, item);
    if (current.ok && choosesOtherwise(current.value.record, draft)) return current.value.record;
  }
  return undefined;
}

const isAfter = (at: string, statedAt: string | undefined): boolean => (epochOf(at) ?? 0) > (epochOf(statedAt) ?? Infinity);

/** The decisions that a draft replaces: earlier ones that answer its question differently, and those for an option that it rejects. */
export async function replacedDecisions(memory: Memory, draft: Draft, statedAt: string | undefined): Promise<readonly string[]> {
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
    const isReplaced = choosesOtherwise(record, draft) && (item.status === 'active' || record.retired_reason?.startsWith(REPLACED) === true);
    if (isReplaced || (item.status === 'active' && isAlike(record.title, about) && isForRejectedOption(record, options))) names.push(`decision/${record.id}`);
  }
  return names;
}
