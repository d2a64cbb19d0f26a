import { FENCE_CLOSE, FENCE_OPEN } from '../../core/episode/injected.ts';
import { plain } from '../../recall/inject/plain.ts';
import { brief, type BriefEvent } from '../recall/brief/brief.ts';
import { asksBreadcrumb, breadcrumbLine } from './breadcrumb.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';

const EVENTS: Readonly<Record<string, BriefEvent>> = { startup: 'startup', resume: 'resume', clear: 'clear', compact: 'compact', fork: 'startup' };

/** SessionStart, also after a compaction: a brief within the budget. */
export async function answerSessionStart(context: HookContext, call: HookCall): Promise<HookAnswer> {
  if (!context.switched.acts('load')) return SILENT;
  const { memory, notes } = context;
  const { session } = call;
  const event = EVENTS[call.source ?? 'startup'] ?? 'startup';
  if (event === 'compact' && session !== undefined && notes.read(session).recovered === true) return SILENT;
  const { text } = await brief(memory, recallContextOf(context, session), { event, ...(session !== undefined && { session }) });
  if (event === 'compact' && session !== undefined) notes.change(session, { recovered: true });
  // A session that already has the whole brief also has its id.
  const isTold = event === 'resume' && session !== undefined && text === '' && context.recallContext.log.shown(session).size > 0;
  const parts = [text === '' && !isTold ? nameOnly(memory.key, session) : text, ...(asksBreadcrumb(context) ? [breadcrumbLine(memory.key, memory.now())] : [])];
  const shown = parts.filter((part) => part !== '').join('\n');
  // Imports the messages from before the compaction, so that search finds them.
  const later = event === 'compact' && session !== undefined && context.switched.acts('capture') && transcriptOf(call, session);
  return { ...(shown === '' ? SILENT : { context: shown }), ...(later && { backgroundWork: later }) };
}

const transcriptOf = ({ transcript }: HookCall, session: string) => ({ session, ...(transcript !== undefined && { transcript }) });

/** A summary needs the session's id even when the brief is empty. */
const nameOnly = (key: string, session: string | undefined): string =>
  session === undefined
    ? ''
    : `${FENCE_OPEN} project="${plain(key).replace(/[^\w.-]/g, '-')}" for="start">\nNothing is remembered of this project yet. Session id: ${plain(session)}.\n${FENCE_CLOSE}`;
