import { markAnswered, pendingStart } from './deferred-start.ts';
import type { HookCall } from '../hooks/call.ts';
import { recallContextOf, type HookContext } from '../hooks/hook-context.ts';
import type { LastLines } from '../hooks/prompt.ts';

/** The brief of a deferred start, which then counts as answered; empty where there is none. */
export async function briefOfDeferredStart(context: HookContext, session: string): Promise<string> {
  const start = pendingStart(context.notes.read(session));
  if (!start) return '';
  const { answerSessionStart } = await import('../hooks/start.ts');
  const { context: text = '' } = await answerSessionStart(context, { event: 'SessionStart', source: start.source, session });
  markAnswered(context.notes, session);
  return text;
}

export async function recoverContext(context: HookContext, session: string): Promise<string> {
  const { memory, notes } = context;
  const { brief } = await import('../recall/brief/brief.ts');
  const { text } = await brief(memory, recallContextOf(context, session), { event: 'compact', session });
  notes.change(session, { recovered: true, breadcrumb: false });
  return text;
}

/** Whether Droid's transcript shows a compaction that was not recovered yet; it counts as recovered from now on. */
export async function isNewlyCompacted({ client, notes }: HookContext, { session, transcript }: HookCall, lastLines: LastLines): Promise<boolean> {
  if (client !== 'droid' || session === undefined || transcript === undefined) return false;
  const { lastCompaction } = await import('../../capture/transcripts/droid.ts');
  const compaction = lastCompaction(await lastLines(transcript));
  if (compaction === undefined || compaction === notes.read(session).compaction) return false;
  notes.change(session, { compaction });
  return true;
}

/** Recovers the context in the middle of a turn, in clients that report no start after a compaction. */
export async function recoverInTurn(context: HookContext, call: HookCall, lastLines: LastLines): Promise<string> {
  const { session } = call;
  if (session === undefined || !context.switched.allows('load')) return '';
  const isContextLost = await isNewlyCompacted(context, call, lastLines);
  const injected = pendingStart(context.notes.read(session))?.source === 'compact' ? await briefOfDeferredStart(context, session) : '';
  return injected === '' && isContextLost ? recoverContext(context, session) : injected;
}
