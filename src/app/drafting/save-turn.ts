import type { SaveNote } from '../../core/ports/session-states.ts';
import type { Draft } from '../../core/record/draft.ts';
import { draftFromText, titleOf } from '../../core/record/from-text.ts';
import { redact } from '../../core/redact/text.ts';
import { refuse, type Result } from '../../core/result.ts';
import { isProjectFile } from '../../core/trust/project-file.ts';
import { isInWordsOf, isQuoted } from '../../core/trust/request.ts';
import { isQuarantined, trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { resolveItem } from '../read/resolve.ts';
import { recordSaying } from '../write/target.ts';
import { sourceOf, keep } from './drafting.ts';
import { broken, checked, failed, outcome, type DraftOutcome } from './outcome.ts';
import { prepare, prepareTarget, type Prepared } from './prepare.ts';
import { settleDraft } from './save.ts';
import type { TurnRecord } from './turn-records.ts';

/** The session's messages, as far as the client has reported them. */
export interface Conversation {
  /** What the user typed. */
  readonly prompts: readonly string[];
  /** All words of the session; undefined if its transcript cannot be read. */
  readonly words?: ReadonlySet<string>;
  /** The agent has read text of others. */
  readonly afterOutside: boolean;
}

export interface SaveTurnOptions {
  readonly sessionId: string;
  readonly client?: string;
  readonly records: readonly TurnRecord[];
  readonly said: Conversation;
}

/** Saves the records of one turn, one after the other; an error in one does not affect the others. */
export async function saveTurnRecords(memory: Memory, saveNote: SaveNote, options: SaveTurnOptions): Promise<readonly DraftOutcome[]> {
  const outcomes: DraftOutcome[] = [];
  for (const record of options.records)
    outcomes.push(await saveOne(memory, saveNote, record, options).catch((cause: unknown) => broken(record.category, cause)));
  return outcomes;
}

async function saveOne(
  memory: Memory,
  saveNote: SaveNote,
  record: TurnRecord,
  { sessionId, client, said: conversation }: SaveTurnOptions,
): Promise<DraftOutcome> {
  const { category, rule, replaces } = record;
  if (rule !== undefined && !conversation.prompts.some((prompt) => isQuoted(rule, prompt)))
    return outcome(category, 'blocked', { justification: titleOf(record.text), issues: [`the user has not said ${JSON.stringify(rule.slice(0, 80))}`] });
  const draft = draftOf(record);
  const invented = conversation.words === undefined ? [] : inventedIn([record.text, record.why ?? '', record.title ?? ''].join('\n'), conversation.words);
  if (invented.length > 0)
    return outcome(category, 'blocked', { justification: titleOf(record.text), issues: [`not in the conversation: ${invented.slice(0, 3).join(', ')}`] });
  const known = replaces === undefined ? recordSaying(memory, record.text) : undefined;
  if (known) return outcome(category, 'nothing', { id: known.id, justification: `${known.category ?? category}/${known.id} says so already` });
  const prepared = await preparedFor(memory, record, sessionId);
  if (!prepared.ok) return failed(category, prepared.error);
  const trust = trustOf(saveNote, record, conversation);
  const source = sourceOf(memory, { sessionId, trust, ...(client !== undefined && { client }) }, saveNote.messageIds ?? []);
  // With the user's own words it is saved at their word; without them the agent only drafts.
  const quoted = {
    ...source,
    actor: rule === undefined ? 'agent-draft' : 'agent',
    origin: { ...source.origin, ...(rule !== undefined && { asked: redact(rule).text }) },
  };
  const justification = replaces === undefined ? 'settled in this turn' : `replaces ${replaces}`;
  const settled = settleDraft(memory, category, { wish: replaces === undefined ? 'CREATE' : 'UPDATE', record: draft, justification }, prepared.value, quoted);
  if (!settled.ok) return failed(category, settled.error);
  if (settled.value.action === 'NOOP') return outcome(category, 'nothing', { justification: settled.value.justification });
  const passed = checked(settled.value, quoted, { passed: true, issues: [] }, 'rules');
  return passed ? keep(memory, passed) : outcome(category, 'blocked', { justification });
}

/** With the id that it replaces, that record; otherwise the mechanical check. */
async function preparedFor(memory: Memory, { category, text, replaces }: TurnRecord, sessionId: string): Promise<Result<Prepared>> {
  if (replaces === undefined) return prepare(memory, { category, newInfo: text, sessionId });
  const item = await resolveItem(memory, replaces);
  if (!item.ok) return item;
  const target = await prepareTarget(memory, category, item.value);
  if (target.ok && target.value.candidate?.record.trust === 'confirmed')
    return refuse('UPDATE_ERROR', `${replaces} was confirmed by the user and stays as it is`, { hint: 'ask the user whether it is to be changed' });
  return target;
}

function draftOf({ category, text, why, title, tags = [], files = [], appliesTo = [], rule }: TurnRecord): Draft {
  // Redact before splitting into title and reason: half a secret is not recognised.
  const clean = redact(why === undefined ? text : `${text.replace(/[.\s]+$/, '')} because ${why}`).text;
  const made = draftFromText(category, clean, title === undefined ? titleOf(redact(text).text) : redact(title).text.slice(0, 120), files[0]);
  const marked = rule === undefined ? {} : category === 'preference' ? { strength: 'strong' } : { kind: 'policy' };
  return {
    ...made,
    content: { ...(made['content'] as object), ...marked },
    tags: [...tags],
    related_files: [...files],
    ...(appliesTo.length > 0 && { applies_to: appliesTo.map((one) => redact(one).text) }),
    confidence: 0.8,
  };
}

/** A quotation of the user's keeps its trust whatever the agent has read; the agent's own words do not. */
function trustOf({ trust }: SaveNote, record: TurnRecord, { prompts, afterOutside }: Conversation): UnconfirmedTrust {
  const { text, why = '', title = '', rule = '', tags = [], appliesTo = [], files = [] } = record;
  const others = files.filter((file) => /\s/.test(file) || !isProjectFile(file));
  const written = [text, why, title, rule, ...tags, ...appliesTo, ...others].filter((one) => one !== '');
  if (written.every((one) => isInWordsOf(one, prompts))) return trustFrom('agent-asked');
  return afterOutside || isQuarantined(trust) ? trustFrom('tool-output') : trustFrom('capture');
}

/** Numbers and names with digits that were never said: the agent may reword, not invent. */
const inventedIn = (text: string, conversation: ReadonlySet<string>): readonly string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => /\p{N}/u.test(word) && word.length > 1 && !conversation.has(word));
