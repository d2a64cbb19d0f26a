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
import { recordSaying } from '../write/target.ts';
import { checked, broken, failed, outcome, type DraftOutcome, type Checker } from './outcome.ts';
import { keep, sourceOf } from './drafting.ts';
import { prepare } from './prepare.ts';
import { settleDraft, type DraftSource } from './save.ts';
import { quotedIn, verifyByRules } from './answer.ts';
import { saveSummary } from '../episodes/save-summary.ts';
import { answeredLater, answersAnew, answersOther, replacedBy, retireTakenBack } from './take-back.ts';

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

const originOf = (draft: Draft): Origin | undefined => draft['origin'] as Origin | undefined;

/** An earlier record made from the same words, in any state: a retired record does not come back. */
async function madeBefore(memory: Memory, category: TriageCategory, draft: Draft): Promise<MemoryRecord | undefined> {
  const origin = originOf(draft);
  const [id] = origin?.message_ids ?? [];
  if (id === undefined) return undefined;
  for (const item of memory.index.items({ kind: 'record', category })) {
    const current = await currentRecord(memory, item);
    if (!current.ok) continue;
    const { origin: theirs } = current.value.record;
    if (theirs?.session_id === origin?.session_id && theirs?.message_ids?.includes(id) && isAlike(current.value.record.title, String(draft['title'])))
      return current.value.record;
  }
  return undefined;
}

/** Whether a record already says what a draft says; rules cannot tell an update from a repetition. */
const says = (record: MemoryRecord, draft: Draft): boolean =>
  !answersAnew(record, draft) &&
  !answersOther(record, draft) &&
  isAlike(record.title, String(draft['title'])) &&
  isAlike(textsIn(record.content).join(' '), textsIn(draft['content']).join(' '));

/** The decisions of a plan that no record holds yet: its parts may have been chosen one by one in the session before. */
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
  const fresh = items.filter((item) => !known.some((text) => isAlike(item, text)));
  if (fresh.length === items.length) return draft;
  return fresh.length * 2 < items.length ? undefined : { ...draft, content: { ...(draft['content'] as object), decision: fresh.join('\n') } };
}

/** Statements that a user may repeat in another client in other words, so that triage picks another category. */
const RULES: readonly TriageCategory[] = ['constraint', 'preference'];

/** A session's messages and their time. */
interface SessionWords {
  readonly words: ReadonlySet<string>;
  readonly times: ReadonlyMap<string, string | undefined>;
}

/** Takes one draft through candidate check, verification by rules, and save. */
async function saveOne(memory: Memory, stated: Draft, { words, times }: SessionWords, say?: (line: string) => void): Promise<DraftOutcome> {
  const category = stated['category'] as TriageCategory;
  const draft = await withoutKnownItems(memory, stated);
  if (draft === undefined) return outcome(category, 'nothing', { justification: 'other records hold most of what the plan decides' });
  const before = await madeBefore(memory, category, draft);
  if (before) return outcome(category, 'nothing', { id: before.id, justification: `${category}/${before.id} was made of the same words` });
  const title = String(draft['title']);
  const existing = RULES.includes(category) ? RULES.map((kind) => recordSaying(memory, title, kind)).find((item) => item !== undefined) : undefined;
  if (existing) return outcome(category, 'nothing', { id: existing.id, justification: `${recordName(existing)} says so already` });
  const looked = await prepare(memory, { category, newInfo: `${title} ${textsIn(draft['tags']).join(' ')}` });
  if (!looked.ok) return failed(category, looked.error);
  const known = looked.value.candidate?.record;
  if (known && says(known, draft)) return outcome(category, 'nothing', { id: known.id, justification: `${category}/${known.id} says so already` });
  const trust = stagedTrust(draft['trust']);
  const origin = originOf(draft);
  const statedAt = times.get(origin?.message_ids?.[0] ?? '');
  const later = await answeredLater(memory, draft, statedAt);
  if (later) return outcome(category, 'nothing', { id: later.id, justification: `a later session chose otherwise: ${category}/${later.id}` });
  const source: DraftSource = { ...sourceOf(memory, { trust }), ...(origin && { origin }), statedAt };
  const justification = isQuarantined(trust) ? 'a tool or the web may have said it' : 'said in the session';
  const supersedes = isQuarantined(trust) ? [] : await replacedBy(memory, draft, statedAt);
  const record = supersedes.length === 0 ? draft : { ...draft, supersedes };
  const settled = settleDraft(memory, category, { wish: 'CREATE', record, justification }, looked.value, source);
  if (!settled.ok) return failed(category, settled.error);
  if (settled.value.action === 'NOOP') return outcome(category, 'nothing', { justification: settled.value.justification });
  const verdict = verifyByRules(draft, words);
  const passed = checked(settled.value, source, verdict, 'rules');
  return passed ? keep(memory, passed, say) : outcome(category, 'blocked', { action: settled.value.action, justification, issues: verdict.issues });
}

/** Follows what was kept before through a session whose records its agent was asked for. */
export function followSession(memory: Memory, episode: Episode): Promise<void> {
  const digest = digestOf(episode, memory.config);
  return retireTakenBack(memory, episode.facts, digest, draftsOf(digest, episode.facts));
}

/** Saves what triage found in a session, without a model; running it again saves nothing twice. */
export async function saveExtracted(memory: Memory, episode: Episode, say?: (line: string) => void): Promise<readonly DraftOutcome[]> {
  const outcomes: DraftOutcome[] = [];
  const messages = messagesIn(episode);
  const session: SessionWords = { words: quotedIn(messages, episode.facts), times: new Map(messages.map(({ id, at }) => [id, at])) };
  const digest = digestOf(episode, memory.config);
  const drafts = draftsOf(digest, episode.facts);
  await retireTakenBack(memory, episode.facts, digest, drafts);
  for (const draft of drafts) {
    outcomes.push(await saveOne(memory, draft, session, say).catch((cause: unknown) => broken(draft['category'] as TriageCategory, cause)));
  }
  return outcomes;
}

const CATEGORY = 'session_summary';

/** Summarises a session automatically: triage decides, rules draft and verify, and the session's one summary is saved. */
export async function captureSummary(memory: Memory, episode: Episode, digest = digestOf(episode, memory.config)): Promise<DraftOutcome> {
  const found = digest.triage.result().categories.find(({ category }) => category === CATEGORY);
  if (found?.fired !== true) return outcome(CATEGORY, 'nothing', { justification: 'too little was done' });
  const draft = digest.draft(episode.facts);
  const { passed, issues } = verifyByRules(draft, quotedIn(messagesIn(episode), episode.facts));
  if (!passed) return outcome(CATEGORY, 'blocked', { issues, justification: issues[0] ?? '' });
  const written = await saveSummary(memory, episode.facts.sessionId, verifiedBy('rules', draft), { actor: 'capture' });
  if (!written.ok) return failed(CATEGORY, written.error);
  const { record, file, status, warnings } = written.value;
  return outcome(CATEGORY, status === 'unchanged' ? 'nothing' : 'saved', { action: 'CREATE', id: record.id, file, warnings, issues });
}

const verifiedBy = (verified: Checker, draft: Draft): Draft => ({ ...draft, origin: { ...(draft['origin'] as object), verified } });
