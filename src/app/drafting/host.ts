import { isObject } from '../../core/value.ts';
import { TRIAGED } from '../../core/config/categories.ts';
import type { TriageCategory } from '../../capture/triage/settings.ts';
import { stagedTrust, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import { type DraftContext, contextsOf, contextName, draftNameIn, verdictPath, type DraftName } from './contexts.ts';
import { type DraftSession, saveVerified, draftSource } from './drafting.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { triageBlock } from '../../capture/triage/triage-block.ts';
import type { Triage } from '../../capture/triage/triage.ts';
import type { Staging } from '../../core/ports/staging.ts';
import type { Memory } from '../memory/memory.ts';
import { placeOfTarget } from '../write/target.ts';
import { readDraftAnswer, readVerdict, type DraftAnswer, type DraftVerdict } from './answer.ts';
import { toVerified, outcomeOfError, failedOutcome, outcome, type DraftOutcome } from './outcome.ts';
import { checkCandidate, checkTarget, type CandidateCheck } from './prepare.ts';
import { settleDraft } from './save.ts';

/** The source of a session's drafts, in a file beside the context files. */
export interface StagedSources {
  readonly sessionId?: string;
  readonly client?: string;
  readonly categories: Readonly<Partial<Record<TriageCategory, { readonly trust: UnconfirmedTrust; readonly messageIds: readonly string[] }>>>;
}

const SOURCES_NAME = '.memory-sources.json';

const sourcesText = (session: DraftSession, contexts: readonly DraftContext[]): string =>
  JSON.stringify({
    ...(session.sessionId !== undefined && { sessionId: session.sessionId }),
    ...(session.client !== undefined && { client: session.client }),
    categories: Object.fromEntries(contexts.map(({ category, trust, messageIds }) => [category, { trust, messageIds }])),
  } satisfies StagedSources);

/** Parses the file of sources; ignores unreadable parts. */
function parseSources(text: string): StagedSources {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { categories: {} };
  }
  if (!isObject(value)) return { categories: {} };
  const byCategory = isObject(value['categories']) ? value['categories'] : {};
  const categories = TRIAGED.flatMap((category) => {
    const source = byCategory[category];
    if (!isObject(source)) return [];
    const ids = Array.isArray(source['messageIds']) ? source['messageIds'].filter((id) => typeof id === 'string') : [];
    return [[category, { trust: stagedTrust(source['trust']), messageIds: ids }] as const];
  });
  const { sessionId, client } = value;
  return {
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof client === 'string' && { client }),
    categories: Object.fromEntries(categories),
  };
}

const DRAFT_NAME = /^\/tmp\/\.memory-(draft|write-pending)-?[^/]*\.json$/;

/** Whether a draft may be read from this path: in the staging folder, or under the name that the skill uses in /tmp. */
export function draftPath(path: string, stagingDir: string): Result<string> {
  const plain = path.replaceAll('\\', '/');
  if (plain.split('/').includes('..'))
    return refuse('SECURITY_ERROR', `the draft's path ${JSON.stringify(path)} contains ..`, { hint: 'give the path without ..' });
  const isStaged = plain.startsWith(`${stagingDir.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  if (isStaged || DRAFT_NAME.test(plain)) return ok(path);
  return refuse('SECURITY_ERROR', `the draft ${JSON.stringify(path)} is not in the staging folder`, { hint: `write it to ${stagingDir}` });
}

/** Drafting by the agent itself: Holdfast writes the context files, the agent's subagents draft and verify, and one command saves. */

export interface StagedContexts {
  /** The block that lists for the agent the categories that fired and their context files; empty if none fired. */
  readonly block: string;
  readonly files: Readonly<Partial<Record<TriageCategory, string>>>;
  readonly warnings: readonly string[];
}

/** Writes a context file for every category that fired; skips a category whose file cannot be written. */
export async function stageContexts(staging: Staging, triage: Pick<Triage, 'result' | 'contextOf' | 'matches' | 'isForeign'>): Promise<StagedContexts> {
  const files: Partial<Record<TriageCategory, string>> = {};
  const warnings: string[] = [];
  for (const { category, text = '' } of contextsOf(triage)) {
    try {
      const written = await staging.put(contextName(category), text);
      if (written.ok) files[category] = written.value;
      else warnings.push(`${category} is skipped: ${written.error.message}`);
    } catch (cause) {
      warnings.push(`${category} is skipped: ${(cause as Error).message}`);
    }
  }
  return { block: triageBlock(triage.result(), files), files, warnings };
}

/** Writes the source of the coming drafts beside them, for the command that saves them. */
export async function noteSources(staging: Staging, session: DraftSession, contexts: readonly DraftContext[]): Promise<void> {
  await staging.put(SOURCES_NAME, sourcesText(session, contexts));
}

async function sourcesIn(staging: Staging): Promise<StagedSources> {
  const path = (await staging.list()).find((file) => file.endsWith(SOURCES_NAME));
  const text = path === undefined ? undefined : await staging.read(path);
  return text?.ok ? parseSources(text.value) : { categories: {} };
}

export interface SaveDraftsRequest {
  readonly memory: Memory;
  readonly staging: Staging;
  readonly session: DraftSession;
  /** The drafts that passed; without them, every staged draft that has a verdict. */
  readonly drafts?: readonly string[];
  readonly say?: (line: string) => void;
}

/** Saves the drafts of the agent's subagents after checking path, schema, candidate and verdict. Reports every draft that is not saved. */
export async function saveDrafts(request: SaveDraftsRequest): Promise<Result<readonly DraftOutcome[]>> {
  const { staging, drafts } = request;
  if (drafts === undefined && !staging.isPrivate) {
    return refuse('USAGE_ERROR', `${staging.folder} is shared and may hold drafts of others.`, { hint: 'name the drafts to save' });
  }
  const paths = drafts ?? (await staging.list()).filter((path) => draftNameIn(path) !== undefined);
  const draftNames: DraftName[] = [];
  for (const path of paths) {
    const allowed = draftPath(path, staging.folder);
    if (!allowed.ok) return allowed;
    const draft = draftNameIn(path);
    if (!draft) return refuse('INPUT_ERROR', `${JSON.stringify(path)} is not the name of a draft.`, { hint: 'name it .memory-draft-<category>-<id>.json' });
    draftNames.push(draft);
  }
  const outcomes: DraftOutcome[] = [];
  // In a shared folder another user may have written the file of sources.
  const sources = staging.isPrivate ? await sourcesIn(staging) : { categories: {} };
  for (const draft of draftNames) {
    const draftOutcome = await saveOne(request, draft, sources).catch((cause: unknown) => outcomeOfError(draft.category, cause));
    outcomes.push({ ...draftOutcome, draft: draft.path });
    // Keep a failed draft, so that the agent can fix it and try again.
    if (draftOutcome.status === 'failed' || draftOutcome.status === 'skipped') continue;
    // Keep the context of a blocked draft, so that it can be drafted again.
    const isOver = staging.isPrivate && draftOutcome.status !== 'blocked';
    for (const path of [draft.path, verdictPath(draft.path), ...(isOver ? [contextBeside(draft)] : [])]) await staging.remove(path);
  }
  return ok(outcomes);
}

/** The context file of a draft. */
const contextBeside = ({ path, category }: DraftName): string => path.replace(/[^/\\]*$/, contextName(category));

/** Naming a draft counts as its verdict: it passed. */
const NAMED_AS_PASSED: DraftVerdict = { passed: true, issues: [] };

/** The verdict beside a draft; undefined when there is none. */
async function verdictOn(staging: Staging, draft: string): Promise<Result<DraftVerdict | undefined>> {
  const text = await staging.read(verdictPath(draft));
  if (text.ok) return readVerdict(text.value);
  return text.error.missing ? ok(undefined) : text;
}

async function saveOne(request: SaveDraftsRequest, draft: DraftName, sources: StagedSources): Promise<DraftOutcome> {
  const { memory, staging, drafts, say } = request;
  const { path, category } = draft;
  // Without a context file, the draft may come from a page that the agent read.
  if (drafts === undefined && !(await staging.read(contextBeside(draft))).ok) {
    return outcome(category, 'skipped', { justification: 'not requested', warnings: [`${path} has no context file beside it: not saved`] });
  }
  const { trust, messageIds } = sources.categories[category] ?? {};
  const { categories: _categories, ...storedSession } = sources;
  const session: DraftSession = { ...storedSession, ...request.session, ...(trust !== undefined && { trust }) };
  const verdict = await verdictOn(staging, path);
  if (!verdict.ok) return failedOutcome(category, verdict.error);
  if (!verdict.value && drafts === undefined) {
    return outcome(category, 'skipped', { justification: 'not verified', warnings: [`${path} has no verdict: not saved`] });
  }
  const text = await staging.read(path);
  if (!text.ok) return failedOutcome(category, text.error);
  const drafted = readDraftAnswer(text.value);
  if (!drafted.ok) return failedOutcome(category, drafted.error);
  const { justification } = drafted.value;
  if (verdict.value?.passed === false) return outcome(category, 'blocked', { justification, issues: verdict.value.issues });
  const check = await candidateCheckFor(memory, category, drafted.value, session);
  if (!check.ok) return failedOutcome(category, check.error);
  const source = { ...draftSource(memory, session, messageIds), actor: 'agent-draft' };
  const settled = settleDraft(memory, category, drafted.value, check.value, source);
  if (!settled.ok) return failedOutcome(category, settled.error);
  if (settled.value.action === 'NOOP') return outcome(category, 'nothing', { justification: settled.value.justification });
  const passed = toVerified(settled.value, source, verdict.value ?? NAMED_AS_PASSED, 'agent');
  return passed ? saveVerified(memory, passed, say) : outcome(category, 'blocked', { justification });
}

/** Repeats the candidate check before saving, by the record that the draft names or by its text. */
async function candidateCheckFor(memory: Memory, category: TriageCategory, drafted: DraftAnswer, session: DraftSession): Promise<Result<CandidateCheck>> {
  const { target, record, justification } = drafted;
  if (target !== undefined && drafted.action !== 'CREATE') {
    const place = await placeOfTarget(memory, target, memory.config.get('storage.root'));
    return place.ok ? checkTarget(memory, category, place.value) : place;
  }
  const id = record?.['id'];
  const known = typeof id === 'string' ? memory.index.byId(id).find((item) => item.category === category && item.status === 'active') : undefined;
  if (known && drafted.action !== 'CREATE') return checkTarget(memory, category, known);
  const words = [record?.['title'], ...(Array.isArray(record?.['tags']) ? record['tags'] : []), justification];
  return checkCandidate(memory, { category, newInfo: words.filter((word) => typeof word === 'string').join(' '), sessionId: session.sessionId });
}
