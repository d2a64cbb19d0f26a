import { markAnswered, pendingStart } from './deferred-start.ts';
import type { HookCall } from '../hooks/call.ts';
import { recallContextOf, type HookContext } from '../hooks/hook-context.ts';
import type { LastLines } from '../hooks/prompt.ts';

/** A start that was put off until the agent is told something; empty where there is none. */
export async function tellDeferredStart(context: HookContext, session: string): Promise<string> {
  const start = pendingStart(context.notes.read(session));
  if (!start) return '';
  const { answerSessionStart } = await import('../hooks/start.ts');
  const { context: text = '' } = await answerSessionStart(context, { event: 'SessionStart', source: start.source, session });
  markAnswered(context.notes, session);
  return text;
}

export async function recover(context: HookContext, session: string): Promise<string> {
  const { memory, notes } = context;
  const { brief } = await import('../recall/brief/brief.ts');
  const { text } = await brief(memory, recallContextOf(context, session), { event: 'compact', session });
  notes.change(session, { recovered: true, breadcrumb: false });
  return text;
}

/** Whether the client's transcript shows a compaction that no hook told of and that nothing was recovered after; it counts as recovered from now on. */
export async function isNewlyCompacted({ client, notes }: HookContext, { session, transcript }: HookCall, lastLines: LastLines): Promise<boolean> {
  if (client !== 'droid' || session === undefined || transcript === undefined) return false;
  const { lastCompaction } = await import('../../capture/transcripts/droid.ts');
  const compaction = lastCompaction(await lastLines(transcript));
  if (compaction === undefined || compaction === notes.read(session).compaction) return false;
  notes.change(session, { compaction });
  return true;
}

/** In the middle of a turn: what a compaction took away, where the client reports no start after it. */
export async function recoverInTurn(context: HookContext, call: HookCall, lastLines: LastLines): Promise<string> {
  const { session } = call;
  if (session === undefined || !context.switched.acts('load')) return '';
  const isLost = await isNewlyCompacted(context, call, lastLines);
  const told = pendingStart(context.notes.read(session))?.source === 'compact' ? await tellDeferredStart(context, session) : '';
  return told === '' && isLost ? recover(context, session) : told;
}
