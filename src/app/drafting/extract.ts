import { draftsOf } from '../../capture/drafts/drafts.ts';
import { isAlike } from '../../capture/summary/text.ts';
import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { MemoryRecord, Origin } from '../../core/record/schema.ts';
import { isQuarantined, stagedTrust } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { digestOf } from '../episodes/summarize.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { recordName } from '../recall/entry.ts';
import { currentRecord } from '../write/current.ts';
import { recordRepeating } from '../write/target.ts';
import { toVerified, outcomeOfError, failedOutcome, outcome, type DraftOutcome, type Verifier } from './outcome.ts';
import { saveVerified, draftSource } from './drafting.ts';
import { checkCandidate } from './prepare.ts';
import { settleDraft, type DraftSource } from './save.ts';
import { conversationWords, verifyByRules } from './answer.ts';
import { saveSummary } from '../episodes/save-summary.ts';
import { laterDecision, choosesOtherwise, answersOtherQuestion, replacedDecisions, retireWithdrawn } from './take-back.ts';

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

const originOf = (draft: Draft): Origin | undefined => draft['origin'] as Origin | undefined;

/** An earlier record made from the same message, in any status, so that a retired record does not come back. */
async function recordFromSameMessage(memory: Memory, category: TriageCategory, draft: Draft): Promise<MemoryRecord | undefined> {
  const origin = originOf(draft);
  const [id] = origin?.message_ids ?? [];
  if (id === undefined) return undefined;
  for (const item of memory.index.items({ kind: 'record', category })) {
    const current = await currentRecord(memory, item);
    if (!current.ok) continue;
    const { origin: recordOrigin } = current.value.record;
    if (
      recordOrigin?.session_id === origin?.session_id &&
      recordOrigin?.message_ids?.includes(id) &&
      isAlike(current.value.record.title, String(draft['title']))
    )
      return current.value.record;
  }
  return undefined;
}

/** Whether a record repeats a draft; rules cannot tell an update from a repetition. */
const repeatsRecord = (record: MemoryRecord, draft: Draft): boolean =>
  !choosesOtherwise(record, draft) &&
  !answersOtherQuestion(record, draft) &&
  isAlike(record.title, String(draft['title'])) &&
  isAlike(textsIn(record.content).join(' '), textsIn(draft['content']).join(' '));

/** Leaves out the parts of a plan that other records hold already; undefined if they hold most of it. */
async function withoutKnownItems(memory: Memory, draft: Draft): Promise<Draft | undefined> {
  const { decision = '' } = (draft['content'] ?? {}) as { readonly decision?: string };
  if (!decision.startsWith('- ')) return draft;
  const known: string[] = [];
  for (const item of memory.index.items({ kind: 'record', category: 'decision', status: 'active' })) {
    const current = await currentRecord(memory, item);
    if (!current.ok || current.value.record.category !== 'decision') continue;
    const { context, decision: chosen } = current.value.record.content;
    if (context.includes('?') || chosen.startsWith('- ')) known.push(`${context} ${chosen}`);
  }
  const items = decision.split('\n');
  const newItems = items.filter((item) => !known.some((text) => isAlike(item, text)));
  if (newItems.length === items.length) return draft;
  return newItems.length * 2 < items.length ? undefined : { ...draft, content: { ...(draft['content'] as object), decision: newItems.join('\n') } };
}

/** Categories that triage may confuse when a user repeats a statement in other words. */
const RULES: readonly TriageCategory[] = ['constraint', 'preference'];

/** A session's messages and their time. */
interface ConversationFacts {
  readonly words: ReadonlySet<string>;
  readonly times: ReadonlyMap<string, string | undefined>;
}

/** Takes one draft through candidate check, verification by rules, and save. */
async function saveOne(memory: Memory, extracted: Draft, { words, times }: ConversationFacts, say?: (line: string) => void): Promise<DraftOutcome> {
  const category = extracted['category'] as TriageCategory;
  const draft = await withoutKnownItems(memory, extracted);
  if (draft === undefined) return outcome(category, 'nothing', { justification: 'other records hold most of what the plan decides' });
  const earlier = await recordFromSameMessage(memory, category, draft);
  if (earlier) return outcome(category, 'nothing', { id: earlier.id, justification: `${category}/${earlier.id} was made from the same message` });
  const title = String(draft['title']);
  const existing = RULES.includes(category) ? RULES.map((kind) => recordRepeating(memory, title, kind)).find((item) => item !== undefined) : undefined;
  if (existing) return outcome(category, 'nothing', { id: existing.id, justification: `${recordName(existing)} says so already` });
  const check = await checkCandidate(memory, { category, newInfo: `${title} ${textsIn(draft['tags']).join(' ')}` });
  if (!check.ok) return failedOutcome(category, check.error);
  const candidate = check.value.candidate?.record;
  if (candidate && repeatsRecord(candidate, draft))
    return outcome(category, 'nothing', { id: candidate.id, justification: `${category}/${candidate.id} says so already` });
  const trust = stagedTrust(draft['trust']);
  const origin = originOf(draft);
  const statedAt = times.get(origin?.message_ids?.[0] ?? '');
  const later = await laterDecision(memory, draft, statedAt);
  if (later) return outcome(category, 'nothing', { id: later.id, justification: `a later session chose otherwise: ${category}/${later.id}` });
  const source: DraftSource = { ...draftSource(memory, { trust }), ...(origin && { origin }), statedAt };
  const justification = isQuarantined(trust) ? 'may come from a tool or the web' : 'stated in the session';
  const supersedes = isQuarantined(trust) ? [] : await replacedDecisions(memory, draft, statedAt);
  const record = supersedes.length === 0 ? draft : { ...draft, supersedes };
  const settled = settleDraft(memory, category, { action: 'CREATE', record, justification }, check.value, source);
  if (!settled.ok) return failedOutcome(category, settled.error);
  if (settled.value.action === 'NOOP') return outcome(category, 'nothing', { justification: settled.value.justification });
  const verdict = verifyByRules(draft, words);
  const passed = toVerified(settled.value, source, verdict, 'rules');
  return passed ? saveVerified(memory, passed, say) : outcome(category, 'blocked', { action: settled.value.action, justification, issues: verdict.issues });
}

/** Retires earlier records that a session withdrew or replaced, without saving new ones. */
export function retireAfterSession(memory: Memory, episode: Episode): Promise<void> {
  const digest = digestOf(episode, memory.config);
  return retireWithdrawn(memory, episode.facts, digest, draftsOf(digest, episode.facts));
}

/** Saves drafts from triage's matches in a session, without a model; running it again saves nothing twice. */
export async function saveExtracted(memory: Memory, episode: Episode, say?: (line: string) => void): Promise<readonly DraftOutcome[]> {
  const outcomes: DraftOutcome[] = [];
  const messages = messagesIn(episode);
  const session: ConversationFacts = { words: conversationWords(messages, episode.facts), times: new Map(messages.map(({ id, at }) => [id, at])) };
  const digest = digestOf(episode, memory.config);
  const drafts = draftsOf(digest, episode.facts);
  await retireWithdrawn(memory, episode.facts, digest, drafts);
  for (const draft of drafts) {
    outcomes.push(await saveOne(memory, draft, session, say).catch((cause: unknown) => outcomeOfError(draft['category'] as TriageCategory, cause)));
  }
  return outcomes;
}

const CATEGORY = 'session_summary';

/** Summarises a session automatically: triage decides, rules draft and verify, and the session's one summary is saved. */
export async function captureSummary(memory: Memory, episode: Episode, digest = digestOf(episode, memory.config)): Promise<DraftOutcome> {
  const triaged = digest.triage.result().categories.find(({ category }) => category === CATEGORY);
  if (triaged?.fired !== true) return outcome(CATEGORY, 'nothing', { justification: 'too little was done' });
  const draft = digest.draft(episode.facts);
  const { passed, issues } = verifyByRules(draft, conversationWords(messagesIn(episode), episode.facts));
  if (!passed) return outcome(CATEGORY, 'blocked', { issues, justification: issues[0] ?? '' });
  const written = await saveSummary(memory, episode.facts.sessionId, withVerifier('rules', draft), { actor: 'capture' });
  if (!written.ok) return failedOutcome(CATEGORY, written.error);
  const { record, file, status, warnings } = written.value;
  return outcome(CATEGORY, status === 'unchanged' ? 'nothing' : 'saved', { action: 'CREATE', id: record.id, file, warnings, issues });
}

const withVerifier = (verified: Verifier, draft: Draft): Draft => ({ ...draft, origin: { ...(draft['origin'] as object), verified } });
