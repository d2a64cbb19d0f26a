import type { StoredSession } from '../../core/ports/episodes.ts';
import { captureSummary, retireAfterSession } from '../drafting/extract.ts';
import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { messagesIn } from '../episodes/read.ts';
import { noteUse } from '../recall/note-use.ts';
import type { HookContext } from './hook-context.ts';

/** How many recent sessions a start checks; an earlier start has finished the older ones. */
const RECENT_SESSIONS = 5;
/** The session that has ended is among so many recent ones. */
const MOST_OPEN_SESSIONS = 50;

export interface FinishResult {
  /** Sessions with messages that no earlier check has seen. */
  readonly checked: readonly string[];
  readonly summarised: readonly string[];
  readonly failures: readonly string[];
}

/**
 * Summarises sessions that ended or continued since the last check, without a model, and notes how they used the injected items. Skips sessions with too
 * little work for a summary and those without new messages.
 */
export async function summariseSessions(context: HookContext, episodes: Episodes, session: string | undefined): Promise<FinishResult> {
  const { memory, notes, switched } = context;
  const result: { checked: string[]; summarised: string[]; failures: string[] } = { checked: [], summarised: [], failures: [] };
  if (!switched.allows('update')) return result;
  const recent = (await episodes.recent(session === undefined ? RECENT_SESSIONS : MOST_OPEN_SESSIONS)).filter(
    ({ facts }) => session === undefined || facts.sessionId === session,
  );
  for (const stored of recent) {
    const id = stored.facts.sessionId;
    if (notes.read(id).finishedAt === messageCount(stored)) continue;
    const found = await episodes.find(id);
    if (!found.ok) continue;
    result.checked.push(id);
    const { episode } = found.value;
    noteUse(context.recallContext.log, id, [...messagesIn(episode)], memory.now());
    const { status, id: summaryId, justification } = await captureSummary(memory, episode);
    if (status === 'failed' || status === 'blocked') result.failures.push(`${id}: ${justification}`);
    if (status === 'failed') continue;
    if (summaryId !== undefined) result.summarised.push(id);
    // An ended session is followed when its records are drafted.
    if (session === undefined && switched.allows('capture') && memory.config.get('capture.flow') !== 'off') await retireAfterSession(memory, episode);
    notes.change(id, { finishedAt: messageCount(stored) });
  }
  return result;
}

/** Drafts and saves records after a session whose agent was not asked to: by rules, or by the configured model. Returns what failed. */
export async function saveDraftsAtEnd(
  context: HookContext,
  episodes: Episodes,
  session: string,
  drafting: () => Promise<DraftingService>,
): Promise<readonly string[]> {
  const { config } = context.memory;
  const drafter = config.get('model.drafting');
  const { draftsAtEnd, seenTo } = context.notes.read(session);
  // Most clients have no Stop hook, and in Claude Code none runs after an interruption.
  const wasAgentAsked = drafter === 'host' && draftsAtEnd !== true && seenTo !== undefined;
  if (config.get('capture.flow') === 'off' || !context.switched.allows('capture')) return [];
  const found = await episodes.find(session);
  if (!found.ok) return [];
  // Records saved earlier may have been undone or withdrawn since, with any way of drafting.
  await retireAfterSession(context.memory, found.value.episode);
  if (wasAgentAsked) return [];
  const { saveExtracted, draft } = await drafting();
  const outcomes =
    drafter === 'none' || drafter === 'host'
      ? { ok: true as const, value: await saveExtracted(context.memory, found.value.episode) }
      : await draft(context.memory, found.value.episode, 'auto');
  if (!outcomes.ok) return [outcomes.error.message];
  return outcomes.value.flatMap(({ category, status, error }) => (status === 'failed' ? [`${category}: ${error?.message ?? 'not saved'}`] : []));
}

const messageCount = ({ messages }: StoredSession): number => messages;
