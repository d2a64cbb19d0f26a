import { assistantContent } from '../../capture/transcripts/claude-code/content.ts';
import { jsonOf, objectOf } from '../../capture/transcripts/value.ts';
import { isOutsideTool } from '../../core/trust/provenance.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import { recall } from '../recall/recall.ts';
import { brief } from '../recall/brief/brief.ts';
import { subagentInstructions } from '../reports/instructions.ts';
import type { saveReport } from '../reports/save-report.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';
import type { LastLines } from './prompt.ts';

/** Holdfast's own agents, from the plugin or `init`, get no brief. */
const OWN = /^memory:|^(?:summarize|synthesize)$/;
const MOST_TASKS = 20;
const TASK = 4_000;

const isOwn = ({ agentType = '' }: HookCall): boolean => OWN.test(agentType);

/** PreToolUse of the agent tool: only here is the subagent's task known. */
export function noteTask({ notes, switched }: HookContext, { session, agentType, prompt }: HookCall): void {
  if (session === undefined || agentType === undefined || prompt === undefined || OWN.test(agentType) || !switched.acts('subagents')) return;
  const { tasks = [] } = notes.read(session);
  notes.change(session, { tasks: [...tasks, { type: agentType, task: prompt.slice(0, TASK) }].slice(-MOST_TASKS) });
}

/** SubagentStart: recall for its task within its own budget, and how to report. */
export async function startSubagent(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const { memory, switched } = context;
  const form = memory.config.get('inject.subagents');
  if (isOwn(call) || (call.agentType ?? '') === '') {
    markSaving(context, call);
    return SILENT;
  }
  if (!switched.acts('subagents') || form === 'off') return SILENT;
  const root = memory.store.absolute({ root: 'private', path: '' });
  if (form === 'pointer') return { context: subagentInstructions('minimal', root) };
  const task = taskOf(context, call);
  const recallContext = recallContextOf(context, call.session);
  const { text } =
    form === 'full'
      ? await brief(memory, recallContext, { event: 'startup' })
      : await recall(memory, recallContext, { prompt: task, as: 'subagent', ...(call.session !== undefined && { session: call.session }) });
  const told = form === 'full' ? [subagentInstructions('template', root, task), `Where you cannot write files: ${REPORT}`] : [rules(root)];
  return { context: [text, ...told].filter((part) => part !== '').join('\n') };
}

/** Takes the oldest task noted for this type of subagent. */
function taskOf({ notes }: HookContext, { session, agentType }: HookCall): string {
  if (session === undefined) return '';
  const { tasks = [] } = notes.read(session);
  const at = tasks.findIndex(({ type }) => type === agentType);
  if (at < 0) return '';
  notes.change(session, { tasks: tasks.toSpliced(at, 1) });
  return tasks[at]?.task ?? '';
}

const REPORT = 'End with a report, which is kept for you: # Task, ## Summary (2-3 sentences), ## Details, ## Recommendations.';

/** Holdfast saves reports itself; the subagent only ends with one. */
const rules = (root: string): string =>
  [`Memory: ${root.replace(/[/\\]+$/, '')}/_index.md lists what is remembered; read, never write there.`, REPORT].join('\n');

/** One of Holdfast's drafters has started: the requested save is in progress. */
function markSaving({ notes }: HookContext, { session, agentType = '' }: HookCall): void {
  if (session === undefined || !agentType.endsWith('memory-drafter')) return;
  const { save } = notes.read(session);
  // A client that runs subagents in the background may end the turn before they start.
  if (save?.state === 'pending' || save?.state === 'failed') notes.change(session, { save: { ...save, state: 'saving' } });
}

const INPUT = 4_000;

/** Whether a transcript line calls a tool that reads outside text; the report may then repeat it. */
function readsOutside(line: string, project: string | undefined): boolean {
  if (!line.includes('tool_use')) return false;
  const record = objectOf(jsonOf(line));
  const called = assistantContent(objectOf(record?.['message'])?.['content'], INPUT).calls;
  return called.some((call) => isOutsideTool(call, project));
}

/** SubagentStop: saves its report once; skips the client's own unnamed helpers. */
export async function stopSubagent(
  { memory, switched }: HookContext,
  call: HookCall,
  { saveReport: save, lastLines }: { readonly saveReport: typeof saveReport; readonly lastLines: LastLines },
): Promise<HookAnswer> {
  const { agentType = '', agentId, agentTranscript, lastMessage, session, cwd } = call;
  if (agentType === '' || isOwn(call) || lastMessage === undefined || !switched.acts('capture')) return SILENT;
  const saved = await save(memory, {
    agentType,
    text: lastMessage,
    client: 'claude-code',
    trust: trustFrom(agentTranscript === undefined || (await lastLines(agentTranscript)).some((line) => readsOutside(line, cwd)) ? 'tool-output' : 'capture'),
    ...(agentId !== undefined && { agentId }),
    ...(session !== undefined && { sessionId: session }),
  });
  if (!saved.ok) throw new Error(saved.error.message);
  return SILENT;
}
