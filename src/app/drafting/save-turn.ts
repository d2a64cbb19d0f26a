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
import { recordRepeating } from '../write/target.ts';
import { draftSource, saveVerified } from './drafting.ts';
import { outcomeOfError, toVerified, failedOutcome, outcome, type DraftOutcome } from './outcome.ts';
import { checkCandidate, checkTarget, type CandidateCheck } from './prepare.ts';
import { settleDraft } from './save.ts';
import type { TurnRecord } from './turn-records.ts';

/** The session's messages, as far as the client has reported them. */
export interface Conversation {
  /** What the user typed. */
  readonly prompts: readonly string[];
  /** All words of the session; undefined if its transcript cannot be read. */
  readonly words?: ReadonlySet<string>;
  /** The agent has read text from tools or the web. */
  readonly afterOutside: boolean;
}

export interface SaveTurnOptions {
  readonly sessionId: string;
  readonly client?: string;
  readonly records: readonly TurnRecord[];
  readonly conversation: Conversation;
}

/** Saves the records of one turn, one after the other; an error in one does not affect the others. */
export async function saveTurnRecords(memory: Memory, saveNote: SaveNote, options: SaveTurnOptions): Promise<readonly DraftOutcome[]> {
  const outcomes: DraftOutcome[] = [];
  for (const record of options.records)
    outcomes.push(await saveOne(memory, saveNote, record, options).catch((cause: unknown) => outcomeOfError(record.category, cause)));
  return outcomes;
}

async function saveOne(memory: Memory, saveNote: SaveNote, record: TurnRecord, { sessionId, client, conversation }: SaveTurnOptions): Promise<DraftOutcome> {
  const { category, rule, replaces } = record;
  if (rule !== undefined && !conversation.prompts.some((prompt) => isQuoted(rule, prompt)))
    return outcome(category, 'blocked', { justification: titleOf(record.text), issues: [`the user has not said ${JSON.stringify(rule.slice(0, 80))}`] });
  const draft = draftOf(record);
  const invented = conversation.words === undefined ? [] : inventedIn([record.text, record.why ?? '', record.title ?? ''].join('\n'), conversation.words);
  if (invented.length > 0)
    return outcome(category, 'blocked', { justification: titleOf(record.text), issues: [`not in the conversation: ${invented.slice(0, 3).join(', ')}`] });
  const repeated = replaces === undefined ? recordRepeating(memory, record.text) : undefined;
  if (repeated) return outcome(category, 'nothing', { id: repeated.id, justification: `${repeated.category ?? category}/${repeated.id} says so already` });
  const check = await candidateCheckFor(memory, record, sessionId);
  if (!check.ok) return failedOutcome(category, check.error);
  const trust = trustOf(saveNote, record, conversation);
  const source = draftSource(memory, { sessionId, trust, ...(client !== undefined && { client }) }, saveNote.messageIds ?? []);
  // A record that quotes the user counts as requested by them; without a quotation it is only the agent's draft.
  const signedSource = {
    ...source,
    actor: rule === undefined ? 'agent-draft' : 'agent',
    origin: { ...source.origin, ...(rule !== undefined && { asked: redact(rule).text }) },
  };
  const justification = replaces === undefined ? 'settled in this turn' : `replaces ${replaces}`;
  const settled = settleDraft(
    memory,
    category,
    { action: replaces === undefined ? 'CREATE' : 'UPDATE', record: draft, justification },
    check.value,
    signedSource,
  );
  if (!settled.ok) return failedOutcome(category, settled.error);
  if (settled.value.action === 'NOOP') return outcome(category, 'nothing', { justification: settled.value.justification });
  const passed = toVerified(settled.value, signedSource, { passed: true, issues: [] }, 'rules');
  return passed ? saveVerified(memory, passed) : outcome(category, 'blocked', { justification });
}

/** Checks the record that is to be replaced, if one is named; otherwise searches for a candidate. */
async function candidateCheckFor(memory: Memory, { category, text, replaces }: TurnRecord, sessionId: string): Promise<Result<CandidateCheck>> {
  if (replaces === undefined) return checkCandidate(memory, { category, newInfo: text, sessionId });
  const item = await resolveItem(memory, replaces);
  if (!item.ok) return item;
  const target = await checkTarget(memory, category, item.value);
  if (target.ok && target.value.candidate?.record.trust === 'confirmed')
    return refuse('UPDATE_ERROR', `${replaces} was confirmed by the user, so it was not changed.`, { hint: 'ask the user whether to change it' });
  return target;
}

function draftOf({ category, text, why, title, tags = [], files = [], appliesTo = [], rule }: TurnRecord): Draft {
  // Redact before splitting into title and reason: a secret cut in half is not recognised.
  const clean = redact(why === undefined ? text : `${text.replace(/[.\s]+$/, '')} because ${why}`).text;
  const draft = draftFromText(category, clean, title === undefined ? titleOf(redact(text).text) : redact(title).text.slice(0, 120), files[0]);
  const ruleFields = rule === undefined ? {} : category === 'preference' ? { strength: 'strong' } : { kind: 'policy' };
  return {
    ...draft,
    content: { ...(draft['content'] as object), ...ruleFields },
    tags: [...tags],
    related_files: [...files],
    ...(appliesTo.length > 0 && { applies_to: appliesTo.map((one) => redact(one).text) }),
    confidence: 0.8,
  };
}

/** A record in the user's own words keeps its trust even if the agent has read text from outside; one in the agent's words does not. */
function trustOf({ trust }: SaveNote, record: TurnRecord, { prompts, afterOutside }: Conversation): UnconfirmedTrust {
  const { text, why = '', title = '', rule = '', tags = [], appliesTo = [], files = [] } = record;
  const otherNames = files.filter((file) => /\s/.test(file) || !isProjectFile(file));
  const texts = [text, why, title, rule, ...tags, ...appliesTo, ...otherNames].filter((one) => one !== '');
  if (texts.every((one) => isInWordsOf(one, prompts))) return trustFrom('agent-asked');
  return afterOutside || isQuarantined(trust) ? trustFrom('tool-output') : trustFrom('capture');
}

/** Numbers and names with digits that do not occur in the conversation: the agent may reword, not invent. */
const inventedIn = (text: string, conversation: ReadonlySet<string>): readonly string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => /\p{N}/u.test(word) && word.length > 1 && !conversation.has(word));
