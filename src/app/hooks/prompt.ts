import type { RunningProcess } from '../../core/ports/host.ts';
import { recall } from '../recall/recall.ts';
import { pendingStart } from '../runtime/deferred-start.ts';
import { asksBreadcrumb, showsBreadcrumb } from './breadcrumb.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { dialectOf } from './client-dialect.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';

/** The last lines of a transcript, unparsed: the parsed messages have no breadcrumbs. */
export type LastLines = (transcript: string) => Promise<readonly string[]>;

export interface PromptEffects {
  readonly lastLines: LastLines;
  /** The client that started this process as its hook; absent in a server. */
  readonly parent?: RunningProcess;
}

/** UserPromptSubmit: a deferred start, then recovery if the breadcrumb is missing, then recall. */
export async function answerPrompt(context: HookContext, call: HookCall, { lastLines, parent }: PromptEffects): Promise<HookAnswer> {
  const { prompt = '', session } = call;
  const { notes, client, memory } = context;
  if (parent && dialectOf(client).marksShells) (await import('../runtime/typed-prompts.ts')).noteTypedPrompt(call, { notes, parent, now: memory.now() });
  const start = session === undefined ? '' : await briefOfDeferredStart(context, session);
  // Droid's compaction is noted even with a deferred start, so that the next command does not recover it again.
  const isContextLost = (start === '' || client === 'droid') && (await isCompacted(context, call, lastLines));
  const recovery =
    isContextLost && start === '' && session !== undefined ? await (await import('../runtime/lost-context.ts')).recoverContext(context, session) : '';
  const recalled = context.switched.allows('recall')
    ? await recall(context.memory, recallContextOf(context, session), { prompt, ...(session !== undefined && { session }) })
    : { text: '' };
  const text = [start, recovery, recalled.text].filter((part) => part !== '').join('\n');
  return text === '' ? SILENT : { context: text };
}

async function briefOfDeferredStart(context: HookContext, session: string): Promise<string> {
  if (!pendingStart(context.notes.read(session))) return '';
  return (await import('../runtime/lost-context.ts')).briefOfDeferredStart(context, session);
}

/** Whether the client has compacted the context. A breadcrumb counts as missing only after a reply has shown one. */
async function isCompacted(context: HookContext, { session, transcript }: HookCall, lastLines: LastLines): Promise<boolean> {
  if (session === undefined || transcript === undefined || !context.switched.allows('load')) return false;
  if (context.client === 'gemini') return (await import('../../capture/transcripts/gemini.ts')).isCompressedInLastTurn(await lastLines(transcript));
  if (context.client === 'droid')
    return (await import('../runtime/lost-context.ts')).isNewlyCompacted(context, { event: 'UserPromptSubmit', session, transcript }, lastLines);
  if (!asksBreadcrumb(context)) return false;
  const { breadcrumb, recovered } = context.notes.read(session);
  if (breadcrumb !== true || recovered === true) return false;
  return !agentLinesInContext(await lastLines(transcript)).some(showsBreadcrumb);
}

const COMPACTED = /"(?:compact_boundary|compacted|context_compacted)"|"isCompactSummary":\s*true/;
const BY_AGENT = /"(?:role|type)":\s*"(?:assistant|gemini|model)"/;

/** The agent's lines since the last compaction. */
function agentLinesInContext(lines: readonly string[]): readonly string[] {
  const since = lines.findLastIndex((line) => COMPACTED.test(line));
  return lines.slice(since + 1).filter((line) => BY_AGENT.test(line));
}
