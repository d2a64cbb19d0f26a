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
  /** The client that started this process as its hook: what it tells of, its user typed if the client marks its agents' shells. Absent if a server hears the prompts itself. */
  readonly parent?: RunningProcess;
}

/** UserPromptSubmit: a deferred start, then recovery if the breadcrumb is missing, then recall. */
export async function answerPrompt(context: HookContext, call: HookCall, { lastLines, parent }: PromptEffects): Promise<HookAnswer> {
  const { prompt = '', session } = call;
  const { notes, client, memory } = context;
  if (parent && dialectOf(client).marksShells) (await import('../runtime/typed-prompts.ts')).noteTyped(call, { notes, parent, now: memory.now() });
  const start = session === undefined ? '' : await tellDeferredStart(context, session);
  // Droid's is noted also where a start is told, so that the next command does not tell it again.
  const isLost = (start === '' || client === 'droid') && (await isCompacted(context, call, lastLines));
  const recovery = isLost && start === '' && session !== undefined ? await (await import('../runtime/lost-context.ts')).recover(context, session) : '';
  const recalled = context.switched.acts('recall')
    ? await recall(context.memory, recallContextOf(context, session), { prompt, ...(session !== undefined && { session }) })
    : { text: '' };
  const text = [start, recovery, recalled.text].filter((part) => part !== '').join('\n');
  return text === '' ? SILENT : { context: text };
}

async function tellDeferredStart(context: HookContext, session: string): Promise<string> {
  if (!pendingStart(context.notes.read(session))) return '';
  const lost = await import('../runtime/lost-context.ts');
  return lost.tellDeferredStart(context, session);
}

/** A breadcrumb can only be missing after one has been seen: the first reply has none before it. */
async function isCompacted(context: HookContext, { session, transcript }: HookCall, lastLines: LastLines): Promise<boolean> {
  if (session === undefined || transcript === undefined || !context.switched.acts('load')) return false;
  if (context.client === 'gemini') return (await import('../../capture/transcripts/gemini.ts')).isCompressedInLastTurn(await lastLines(transcript));
  if (context.client === 'droid')
    return (await import('../runtime/lost-context.ts')).isNewlyCompacted(context, { event: 'UserPromptSubmit', session, transcript }, lastLines);
  if (!asksBreadcrumb(context)) return false;
  const { breadcrumb, recovered } = context.notes.read(session);
  if (breadcrumb !== true || recovered === true) return false;
  return !inView(await lastLines(transcript)).some(showsBreadcrumb);
}

const COMPACTED = /"(?:compact_boundary|compacted|context_compacted)"|"isCompactSummary":\s*true/;
const BY_AGENT = /"(?:role|type)":\s*"(?:assistant|gemini|model)"/;

/** The agent's words since the last compaction. */
function inView(lines: readonly string[]): readonly string[] {
  const since = lines.findLastIndex((line) => COMPACTED.test(line));
  return lines.slice(since + 1).filter((line) => BY_AGENT.test(line));
}
