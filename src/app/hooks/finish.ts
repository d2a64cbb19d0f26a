import type { StoredSession } from '../../core/ports/episodes.ts';
import { captureSummary, retireAfterSession } from '../drafting/extract.ts';
import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { messagesIn } from '../episodes/read.ts';
import { noteUse } from '../recall/note-use.ts';
import type { HookContext } from './hook-context.ts';

/** How many recent sessions a start checks; an earlier start has finished the older ones. */
const LOOK_BACK = 5;

/** Result of finishing, for the log. */
export interface Finished {
  /** Sessions with messages that no earlier check has seen. */
  readonly looked: readonly string[];
  readonly summed: readonly string[];
  readonly troubles: readonly string[];
}

/**
 * Summarises sessions that ended or continued since the last check, without a model, and notes what they made of what they were shown. Skips sessions with too little work for a summary and those without
 * new messages.
 */
export async function sumUpSessions(context: HookContext, episodes: Episodes, session: string | undefined): Promise<Finished> {
  const { memory, notes, switched } = context;
  const [looked, summed, troubles]: [string[], string[], string[]] = [[], [], []];
  if (!switched.acts('update')) return { looked, summed, troubles };
  const recent = (await episodes.recent(session === undefined ? LOOK_BACK : 50)).filter(({ facts }) => session === undefined || facts.sessionId === session);
  for (const stored of recent) {
    const id = stored.facts.sessionId;
    if (notes.read(id).finishedAt === sizeOf(stored)) continue;
    const found = await episodes.find(id);
    if (!found.ok) continue;
    looked.push(id);
    const { episode } = found.value;
    noteUse(context.recallContext.log, id, [...messagesIn(episode)], memory.now());
    const { status, id: summaryId, justification } = await captureSummary(memory, episode);
    if (status === 'failed' || status === 'blocked') troubles.push(`${id}: ${justification}`);
    if (status === 'failed') continue;
    if (summaryId !== undefined) summed.push(id);
    // Of a session that was left behind; one that has ended is followed when its records are drafted.
    if (session === undefined && switched.acts('capture') && memory.config.get('capture.flow') !== 'off') await retireAfterSession(memory, episode);
    notes.change(id, { finishedAt: sizeOf(stored) });
  }
  return { looked, summed, troubles };
}

/** Where the agent was not asked to draft, drafts records after the session: by rules, or by the configured model. */
export async function keepDrafts(
  context: HookContext,
  episodes: Episodes,
  session: string,
  drafting: () => Promise<DraftingService>,
): Promise<readonly string[]> {
  const { config } = context.memory;
  const drafter = config.get('model.drafting');
  const { draftsAtEnd, seenTo } = context.notes.read(session);
  // Most clients have no Stop hook, and in Claude Code none runs after an interruption. Then the agent was not asked to save.
  const isAsked = drafter === 'host' && draftsAtEnd !== true && seenTo !== undefined;
  if (config.get('capture.flow') === 'off' || !context.switched.acts('capture')) return [];
  const found = await episodes.find(session);
  if (!found.ok) return [];
  // Records saved earlier may have been undone or withdrawn since, with any way of drafting.
  await retireAfterSession(context.memory, found.value.episode);
  if (isAsked) return [];
  const { saveExtracted, draft } = await drafting();
  const outcomes =
    drafter === 'none' || drafter === 'host'
      ? { ok: true as const, value: await saveExtracted(context.memory, found.value.episode) }
      : await draft(context.memory, found.value.episode, 'auto');
  if (!outcomes.ok) return [outcomes.error.message];
  return outcomes.value.flatMap(({ category, status, error }) => (status === 'failed' ? [`${category}: ${error?.message ?? 'not saved'}`] : []));
}

const sizeOf = ({ messages }: StoredSession): number => messages;
