import { FENCE_CLOSE, FENCE_OPEN } from '../../core/episode/injected.ts';
import { plain } from '../../recall/inject/plain.ts';
import { brief, type BriefEvent } from '../recall/brief/brief.ts';
import { asksBreadcrumb, breadcrumbLine } from './breadcrumb.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';

const BRIEF_EVENTS: Readonly<Record<string, BriefEvent>> = { startup: 'startup', resume: 'resume', clear: 'clear', compact: 'compact', fork: 'startup' };

/** SessionStart, also after a compaction: a brief within the budget. */
export async function answerSessionStart(context: HookContext, call: HookCall): Promise<HookAnswer> {
  if (!context.switched.allows('load')) return SILENT;
  const { memory, notes } = context;
  const { session } = call;
  const event = BRIEF_EVENTS[call.source ?? 'startup'] ?? 'startup';
  if (event === 'compact' && session !== undefined && notes.read(session).recovered === true) return SILENT;
  const { text } = await brief(memory, recallContextOf(context, session), { event, ...(session !== undefined && { session }) });
  if (event === 'compact' && session !== undefined) notes.change(session, { recovered: true });
  // A resumed session that has the whole brief also has its id.
  const hasWholeBrief = event === 'resume' && session !== undefined && text === '' && context.recallContext.log.shown(session).size > 0;
  const parts = [
    text === '' && !hasWholeBrief ? sessionIdOnly(memory.key, session) : text,
    ...(asksBreadcrumb(context) ? [breadcrumbLine(memory.key, memory.now())] : []),
  ];
  const injected = parts.filter((part) => part !== '').join('\n');
  // Imports the messages from before the compaction, so that search finds them.
  const backgroundWork = event === 'compact' &&
    session !== undefined &&
    context.switched.allows('capture') && { session, ...(call.transcript !== undefined && { transcript: call.transcript }) };
  return { ...(injected === '' ? SILENT : { context: injected }), ...(backgroundWork && { backgroundWork }) };
}

/** The session's id, which a summary needs even when the brief is empty. */
const sessionIdOnly = (key: string, session: string | undefined): string =>
  session === undefined
    ? ''
    : `${FENCE_OPEN} project="${plain(key).replace(/[^\w.-]/g, '-')}" for="start">\nNothing is remembered of this project yet. Session id: ${plain(session)}.\n${FENCE_CLOSE}`;
