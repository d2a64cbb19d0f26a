import type { Model } from '../../core/ports/model.ts';
import { isQuarantined, trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { toVerified, type VerifiedDraft, outcomeOfError, failedOutcome, outcome, type DraftOutcome } from './outcome.ts';
import type { DraftContext } from './contexts.ts';
import { askDraft, askVerdict, stepModels, type StepModels } from './draft.ts';
import { checkCandidate, type CandidateCheck } from './prepare.ts';
import { writeDraft, settleDraft, draftWords, type DraftSource, type SettledDraft } from './save.ts';
import { slugify } from '../../core/project/slug.ts';

export interface DraftingRequest {
  readonly memory: Memory;
  /** Limited by its budget (`metered`). */
  readonly model: Model;
  readonly contexts: readonly DraftContext[];
  readonly session: DraftSession;
  /** Called with action and reason before each write; automatic capture does not set it. */
  readonly say?: (line: string) => void;
  /** Replaces the models that the settings name. */
  readonly models?: StepModels;
}

/** The session that is drafted from. */
export interface DraftSession {
  readonly sessionId?: string;
  readonly client?: string;
  /** When the session ended, if it is over. */
  readonly statedAt?: string;
  /** A draft from tools or the web is `quarantined`. */
  readonly trust?: UnconfirmedTrust;
}

export const draftSource = (memory: Memory, session: DraftSession, messageIds: readonly string[] = []): DraftSource => ({
  actor: 'capture',
  root: memory.config.get('storage.root'),
  trust: session.trust ?? trustFrom('capture'),
  origin: {
    channel: 'capture',
    ...(session.client !== undefined && { client: session.client }),
    ...(session.sessionId !== undefined && { session_id: session.sessionId }),
    ...(messageIds.length > 0 && { message_ids: messageIds }),
  },
  sessionId: session.sessionId,
  statedAt: session.statedAt,
});

/** Runs the candidate check of one category; returns its outcome if nothing is to be drafted. */
async function checkContext({ memory, session }: DraftingRequest, { category, text, newInfo }: DraftContext): Promise<DraftOutcome | CandidateCheck> {
  if (text === undefined)
    return outcome(category, 'skipped', { justification: 'there is no context file', warnings: [`${category} has no context file: skipped`] });
  const check = await checkCandidate(memory, { category, newInfo, sessionId: session.sessionId });
  if (!check.ok) return failedOutcome(category, check.error);
  const { preAction, vetoes } = check.value;
  if (preAction !== 'NOOP' && vetoes.length === 0) return check.value;
  return outcome(category, 'nothing', { justification: vetoes[0] ?? 'the candidate check found nothing to draft' });
}

/** Drafts one category and has the draft verified. */
async function draftAndVerify(
  request: DraftingRequest,
  context: DraftContext,
  check: CandidateCheck,
  models: StepModels,
): Promise<DraftOutcome | VerifiedDraft> {
  const { memory, model, session } = request;
  const { category, text = '' } = context;
  const { structural, candidate } = check;
  const drafted = await askDraft(model, models.draft(category), { category, context: text, structural, ...(candidate && { candidate: candidate.record }) });
  if (!drafted.ok) return failedOutcome(category, drafted.error);
  const source = draftSource(memory, { ...session, ...(isQuarantined(context.trust) && { trust: trustFrom('tool-output') }) }, context.messageIds);
  const settled = settleDraft(memory, category, drafted.value, check, source);
  if (!settled.ok) return failedOutcome(category, settled.error);
  const { action, justification } = settled.value;
  if (action === 'NOOP') return outcome(category, 'nothing', { justification });
  const verdict = await askVerdict(model, models.verify, category, text, draftWords(settled.value));
  if (!verdict.ok) return failedOutcome(category, verdict.error, { action });
  return toVerified(settled.value, source, verdict.value, 'model') ?? outcome(category, 'blocked', { action, justification, issues: verdict.value.issues });
}

const line = ({ category, action, justification }: Pick<SettledDraft, 'category' | 'action' | 'justification'>): string =>
  `${action} ${category}${justification === '' ? '' : `: ${justification}`}`;

/** Saves a verified draft. */
export async function saveVerified(memory: Memory, { settled, source, issues }: VerifiedDraft, say?: (line: string) => void): Promise<DraftOutcome> {
  const { category, action, justification } = settled;
  say?.(line(settled));
  const written = await writeDraft(memory, settled, source);
  if (!written.ok) return failedOutcome(category, written.error, { action, issues });
  const { record, file, warnings, status } = written.value;
  // A changed record may keep an id that was made from its old title.
  const renamed = action === 'UPDATE' && !slugify(record.title).startsWith(record.id.slice(0, ID_START)) ? { title: record.title } : {};
  return outcome(category, status === 'unchanged' ? 'nothing' : 'saved', { action, justification, id: record.id, file, issues, warnings, ...renamed });
}

/** Characters of an id that are compared with the title; ids are cut off and numbered. */
const ID_START = 30;

const isOutcome = (value: object): value is DraftOutcome => 'status' in value;

/**
 * Drafts records from triage's matches: candidate check, draft, verdict and save for each category, in parallel or in turn as the settings say.
 * Only the model calls run in parallel. An error in one category does not affect the others.
 */
export async function draftRecords(request: DraftingRequest): Promise<readonly DraftOutcome[]> {
  const { memory, contexts, say } = request;
  const models = request.models ?? stepModels(memory.config);
  const orFailedOutcome = <T>(context: DraftContext, work: () => Promise<T>): Promise<T | DraftOutcome> =>
    work().catch((cause: unknown) => outcomeOfError(context.category, cause));
  const checks = new Map<DraftContext, DraftOutcome | CandidateCheck>();
  for (const context of contexts) checks.set(context, await orFailedOutcome(context, () => checkContext(request, context)));
  const draftOf = (context: DraftContext): Promise<DraftOutcome | VerifiedDraft> => {
    const check = checks.get(context) as DraftOutcome | CandidateCheck;
    return isOutcome(check) ? Promise.resolve(check) : orFailedOutcome(context, () => draftAndVerify(request, context, check, models));
  };
  const parallelDrafts = models.parallel ? await Promise.all(contexts.map(draftOf)) : undefined;
  const outcomes: DraftOutcome[] = [];
  for (const [at, context] of contexts.entries()) {
    const draft = parallelDrafts?.[at] ?? (await draftOf(context));
    outcomes.push(isOutcome(draft) ? draft : await orFailedOutcome(context, () => saveVerified(memory, draft, say)));
  }
  return outcomes;
}
