import { asksSame } from '../../capture/drafts/choices.ts';
import { optionIn, questionIn } from '../../capture/drafts/content.ts';
import { namesAgain } from '../../capture/drafts/objections.ts';
import type { Statements } from '../../capture/drafts/statements.ts';
import { isAlike } from '../../capture/summary/text.ts';
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

/** Why a record no longer holds after a session; undefined while it does. */
function reasonFor(record: MemoryRecord, sessionId: string, statements: Statements, drafts: readonly Draft[]): string | undefined {
  const { origin } = record;
  if (origin?.session_id === sessionId) {
    const isStated = statements.all.some(({ messageId }) => origin.message_ids?.includes(messageId) === true);
    return isStated ? undefined : 'Taken back later in the session';
  }
  // A session that says it again, such as a resumed one, does not replace it, whatever else it chose.
  if (drafts.some((draft) => draft['title'] === record.title)) return undefined;
  const anew = drafts.find((draft) => answersAnew(record, draft));
  if (anew) return `${REPLACED}: ${String(anew['title'])}`;
  const said = statements.givenUp.find((sentence) => namesAgain(sentence, wordsOf(record)));
  return said === undefined ? undefined : `The user gave it up: ${said}`;
}

/** Files that the rules themselves made; what an agent saved in a turn is not theirs to judge. */
async function madeByRules({ store }: Memory): Promise<ReadonlySet<string>> {
  const made = (await store.journal.entries()).filter(({ op, actor }) => op === 'create' && actor === 'capture');
  return new Set(made.map(({ root, path }) => `${root}:${path}`));
}

async function stillDrafted(memory: Memory, item: ItemFacts): Promise<MemoryRecord | undefined> {
  const current = await currentRecord(memory, item);
  if (!current.ok || current.value.record.origin?.verified !== 'rules') return undefined;
  return (await isUsersWord(memory, current.value.file)) ? undefined : current.value.record;
}

/** Retires what rules drafted and a session took back, gave up or chose otherwise; nothing that holds a user's word. */
export async function retireTakenBack(memory: Memory, sessionId: string, statements: Statements, drafts: readonly Draft[]): Promise<void> {
  await catchUp(memory);
  const waiting = memory.index.items({ kind: 'record', waits: true });
  const made = waiting.length === 0 ? new Set() : await madeByRules(memory);
  for (const item of waiting.filter(({ root, path }) => made.has(`${root}:${path}`))) {
    const record = await stillDrafted(memory, item);
    const reason = record && reasonFor(record, sessionId, statements, drafts);
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

/** The decisions that a draft takes the place of: those that answer its question otherwise, and those for what it turns down. */
export async function replacedBy(memory: Memory, draft: Draft): Promise<readonly string[]> {
  if (draft['category'] !== 'decision') return [];
  const content = (draft['content'] ?? {}) as { readonly context?: string; readonly alternatives?: readonly { readonly option: string }[] };
  const { context = '', alternatives = [] } = content;
  const about = `${String(draft['title'])} ${context}`;
  const options = alternatives.map(({ option }) => option);
  const names: string[] = [];
  for (const item of memory.index.items({ kind: 'record', category: 'decision' })) {
    if (item.supersededBy !== undefined || item.status === 'archived' || item.trust === 'quarantined') continue;
    const current = await currentRecord(memory, item);
    if (!current.ok) continue;
    const { record } = current.value;
    const isAnew = answersAnew(record, draft) && (item.status === 'active' || record.retired_reason?.startsWith(REPLACED) === true);
    if (isAnew || (item.status === 'active' && isAlike(record.title, about) && turnedDown(record, options))) names.push(`decision/${record.id}`);
  }
  return names;
}
