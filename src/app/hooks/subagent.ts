import { assistantContent } from '../../capture/transcripts/claude-code/content.ts';
import { jsonOf, objectOf } from '../../capture/transcripts/value.ts';
import { isOutsideTool } from '../../core/trust/provenance.ts';
import { isQuarantined, trustFrom } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { recall } from '../recall/recall.ts';
import { brief } from '../recall/brief/brief.ts';
import { REPORT_CALL, subagentInstructions } from '../reports/instructions.ts';
import type { saveReport } from '../reports/save-report.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';
import type { LastLines } from './prompt.ts';
import { OWN_AGENT } from './tool.ts';

const MOST_TASKS = 20;
const TASK = 4_000;

/** They get no brief. */
const isOwn = ({ agentType = '' }: HookCall): boolean => OWN_AGENT.test(agentType);

/** PreToolUse of the agent tool: only here is the subagent's task known. */
export function noteTask({ notes, switched }: HookContext, { session, agentType, prompt }: HookCall): void {
  if (session === undefined || agentType === undefined || prompt === undefined || OWN_AGENT.test(agentType) || !switched.acts('subagents')) return;
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
  if (form === 'pointer') return { context: [subagentInstructions('minimal', root), REPORT_CALL].join('\n') };
  const task = taskOf(context, call);
  const recallContext = recallContextOf(context, call.session);
  const { text } =
    form === 'full'
      ? await brief(memory, recallContext, { event: 'startup' })
      : await recall(memory, recallContext, { prompt: task, as: 'subagent', ...(call.session !== undefined && { session: call.session }) });
  const instructions = form === 'full' ? [subagentInstructions('template', root, task), REPORT_CALL] : await rules(memory, root);
  return { context: [text, ...instructions].filter((part) => part !== '').join('\n') };
}

/** In clients without reports: the records that fit the task. The task is the parent agent's text, not a user's request. */
export async function recallForTask(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const { memory, switched } = context;
  const { session, prompt = taskOf(context, call) } = call;
  if (!switched.acts('subagents') || memory.config.get('inject.subagents') === 'off') return SILENT;
  const { text } = await recall(memory, recallContextOf(context, session), { prompt, as: 'subagent', ...(session !== undefined && { session }) });
  return text === '' ? SILENT : { context: text };
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

/** Holdfast saves reports itself; the subagent only ends with one. A memory without records has no index. */
async function rules(memory: Memory, root: string): Promise<readonly string[]> {
  const hasIndex = (await memory.store.stat({ root: 'private', path: '_index.md' })) !== undefined;
  return hasIndex ? [`Memory: ${root.replace(/[/\\]+$/, '')}/_index.md lists what is remembered; read, never write there.`, REPORT] : [REPORT];
}

/** One of Holdfast's drafters has started: the requested save is in progress. */
function markSaving({ notes }: HookContext, { session, agentType = '' }: HookCall): void {
  if (session === undefined || !agentType.endsWith('memory-drafter')) return;
  const { save } = notes.read(session);
  // A client that runs subagents in the background may end the turn before they start.
  if (save?.state === 'pending' || save?.state === 'failed') notes.change(session, { save: { ...save, state: 'saving' } });
}

const INPUT = 4_000;

/** Whether a transcript line calls a tool that reads outside text; the report may then repeat it. */
function readsOutside(line: string, memory: Memory, project: string | undefined): boolean {
  if (!line.includes('tool_use')) return false;
  const record = objectOf(jsonOf(line));
  const called = assistantContent(objectOf(record?.['message'])?.['content'], INPUT).calls;
  return called.some((call) => isOutsideTool({ ...call, files: call.files.filter((file) => !isShownMemory(memory, file)) }, project));
}

/** Whether a file is one of the memory's that agents are shown: its instructions name the index, and a quarantined record is in no index. */
function isShownMemory(memory: Memory, file: string): boolean {
  const root = memory.store.absolute({ root: 'private', path: '' }).replace(/[/\\]*$/, '/');
  const path = file.startsWith(root) ? file.slice(root.length) : undefined;
  if (path === undefined || path.includes('..')) return false;
  return !memory.index.items({ kind: 'record', root: 'private' }).some((item) => item.path === path && isQuarantined(item.trust));
}

/** SubagentStop: saves its report once; skips the client's own unnamed helpers. */
export async function stopSubagent(
  { memory, switched, client }: HookContext,
  call: HookCall,
  { saveReport: save, lastLines }: { readonly saveReport: typeof saveReport; readonly lastLines: LastLines },
): Promise<HookAnswer> {
  const { agentType = '', agentId, agentTranscript, lastMessage, session, cwd } = call;
  if (agentType === '' || isOwn(call) || lastMessage === undefined || !switched.acts('capture')) return SILENT;
  const saved = await save(memory, {
    agentType,
    text: lastMessage,
    client,
    trust: trustFrom(
      agentTranscript === undefined || (await lastLines(agentTranscript)).some((line) => readsOutside(line, memory, cwd)) ? 'tool-output' : 'capture',
    ),
    ...(agentId !== undefined && { agentId }),
    ...(session !== undefined && { sessionId: session }),
  });
  if (!saved.ok) throw new Error(saved.error.message);
  return SILENT;
}
