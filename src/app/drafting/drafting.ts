import type { Model } from '../../core/ports/model.ts';
import { isQuarantined, trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { checked, type VerifiedDraft, broken, failed, outcome, type DraftOutcome } from './outcome.ts';
import type { DraftContext } from './contexts.ts';
import { askDraft, askVerdict, stepModels, type StepModels } from './draft.ts';
import { prepare, type Prepared } from './prepare.ts';
import { save, settleDraft, draftWords, type DraftSource, type Settled } from './save.ts';
import { slugify } from '../../core/project/slug.ts';

export interface DraftingRequest {
  readonly memory: Memory;
  /** Within its budget (`metered`). */
  readonly model: Model;
  readonly contexts: readonly DraftContext[];
  readonly session: DraftSession;
  /** Called with action and reason before each write; automatic capture passes none. */
  readonly say?: (line: string) => void;
  /** In place of the models that the settings name. */
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

export const sourceOf = (memory: Memory, session: DraftSession, messageIds: readonly string[] = []): DraftSource => ({
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

/** The candidate check of one category, or its outcome if it ends there. */
async function look({ memory, session }: DraftingRequest, { category, text, newInfo }: DraftContext): Promise<DraftOutcome | Prepared> {
  if (text === undefined)
    return outcome(category, 'skipped', { justification: 'there is no context file', warnings: [`${category} has no context file: skipped`] });
  const prepared = await prepare(memory, { category, newInfo, sessionId: session.sessionId });
  if (!prepared.ok) return failed(category, prepared.error);
  const { preAction, vetoes } = prepared.value;
  if (preAction !== 'NOOP' && vetoes.length === 0) return prepared.value;
  return outcome(category, 'nothing', { justification: vetoes[0] ?? 'the candidate check says no' });
}

/** Draft and verdict of one category. */
async function ask(request: DraftingRequest, context: DraftContext, prepared: Prepared, models: StepModels): Promise<DraftOutcome | VerifiedDraft> {
  const { memory, model, session } = request;
  const { category, text = '' } = context;
  const { structural, candidate } = prepared;
  const drafted = await askDraft(model, models.draft(category), { category, context: text, structural, ...(candidate && { candidate: candidate.record }) });
  if (!drafted.ok) return failed(category, drafted.error);
  const source = sourceOf(memory, { ...session, ...(isQuarantined(context.trust) && { trust: trustFrom('tool-output') }) }, context.messageIds);
  const settled = settleDraft(memory, category, drafted.value, prepared, source);
  if (!settled.ok) return failed(category, settled.error);
  const { action, justification } = settled.value;
  if (action === 'NOOP') return outcome(category, 'nothing', { justification });
  const verdict = await askVerdict(model, models.verify, category, text, draftWords(settled.value));
  if (!verdict.ok) return failed(category, verdict.error, { action });
  return checked(settled.value, source, verdict.value, 'model') ?? outcome(category, 'blocked', { action, justification, issues: verdict.value.issues });
}

const line = ({ category, action, justification }: Pick<Settled, 'category' | 'action' | 'justification'>): string =>
  `${action} ${category}${justification === '' ? '' : `: ${justification}`}`;

/** Phase 3 of one category: the write. */
export async function keep(memory: Memory, { settled, source, issues }: VerifiedDraft, say?: (line: string) => void): Promise<DraftOutcome> {
  const { category, action, justification } = settled;
  say?.(line(settled));
  const written = await save(memory, settled, source);
  if (!written.ok) return failed(category, written.error, { action, issues });
  const { record, file, warnings, status } = written.value;
  // A changed record may keep the id of what it said before.
  const renamed = action === 'UPDATE' && !slugify(record.title).startsWith(record.id.slice(0, ID_START)) ? { title: record.title } : {};
  return outcome(category, status === 'unchanged' ? 'nothing' : 'saved', { action, justification, id: record.id, file, issues, warnings, ...renamed });
}

/** As much of an id as tells whether it was made of a title; ids are cut and numbered. */
const ID_START = 30;

const isOutcome = (value: object): value is DraftOutcome => 'status' in value;

/**
 * From what triage found to records: candidate check, draft, verdict and save for each category, at once or in turn as the settings say.
 * Only models run in parallel; the memory is read and written in turn. An error in one category does not affect the others.
 */
export async function draftRecords(request: DraftingRequest): Promise<readonly DraftOutcome[]> {
  const { memory, contexts, say } = request;
  const models = request.models ?? stepModels(memory.config);
  const guarded = <T>(context: DraftContext, work: () => Promise<T>): Promise<T | DraftOutcome> =>
    work().catch((cause: unknown) => broken(context.category, cause));
  const looked = new Map<DraftContext, DraftOutcome | Prepared>();
  for (const context of contexts) looked.set(context, await guarded(context, () => look(request, context)));
  const asking = (context: DraftContext): Promise<DraftOutcome | VerifiedDraft> => {
    const found = looked.get(context) as DraftOutcome | Prepared;
    return isOutcome(found) ? Promise.resolve(found) : guarded(context, () => ask(request, context, found, models));
  };
  const atOnce = models.parallel ? await Promise.all(contexts.map(asking)) : undefined;
  const outcomes: DraftOutcome[] = [];
  for (const [at, context] of contexts.entries()) {
    const done = atOnce?.[at] ?? (await asking(context));
    outcomes.push(isOutcome(done) ? done : await guarded(context, () => keep(memory, done, say)));
  }
  return outcomes;
}
