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
const TASK_LENGTH = 4_000;

/** Holdfast's own subagents get no recall and save no report. */
const isHoldfastAgent = ({ agentType = '' }: HookCall): boolean => OWN_AGENT.test(agentType);

/** PreToolUse of the agent tool: only here is the subagent's task known. */
export function noteTask({ notes, switched }: HookContext, { session, agentType, prompt }: HookCall): void {
  if (session === undefined || agentType === undefined || prompt === undefined || OWN_AGENT.test(agentType) || !switched.allows('subagents')) return;
  const { tasks = [] } = notes.read(session);
  notes.change(session, { tasks: [...tasks, { type: agentType, task: prompt.slice(0, TASK_LENGTH) }].slice(-MOST_TASKS) });
}

/** SubagentStart: recall for the subagent's task, and instructions for its report. */
export async function startSubagent(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const { memory, switched } = context;
  const form = memory.config.get('inject.subagents');
  if (isHoldfastAgent(call) || (call.agentType ?? '') === '') {
    markSaving(context, call);
    return SILENT;
  }
  if (!switched.allows('subagents') || form === 'off') return SILENT;
  const root = memory.store.absolute({ root: 'private', path: '' });
  if (form === 'pointer') return { context: [subagentInstructions('minimal', root), REPORT_CALL].join('\n') };
  const task = takeTask(context, call);
  const recallContext = recallContextOf(context, call.session);
  const { text } =
    form === 'full'
      ? await brief(memory, recallContext, { event: 'startup' })
      : await recall(memory, recallContext, { prompt: task, as: 'subagent', ...(call.session !== undefined && { session: call.session }) });
  const instructions = form === 'full' ? [subagentInstructions('template', root, task), REPORT_CALL] : await memoryInstructions(memory, root);
  return { context: [text, ...instructions].filter((part) => part !== '').join('\n') };
}

/** Recall for a subagent's task, in clients without reports. The task is the parent agent's text, not a user's request. */
export async function recallForTask(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const { memory, switched } = context;
  const { session, prompt = takeTask(context, call) } = call;
  if (!switched.allows('subagents') || memory.config.get('inject.subagents') === 'off') return SILENT;
  const { text } = await recall(memory, recallContextOf(context, session), { prompt, as: 'subagent', ...(session !== undefined && { session }) });
  return text === '' ? SILENT : { context: text };
}

/** Takes the oldest task noted for this type of subagent. */
function takeTask({ notes }: HookContext, { session, agentType }: HookCall): string {
  if (session === undefined) return '';
  const { tasks = [] } = notes.read(session);
  const at = tasks.findIndex(({ type }) => type === agentType);
  if (at < 0) return '';
  notes.change(session, { tasks: tasks.toSpliced(at, 1) });
  return tasks[at]?.task ?? '';
}

const REPORT_INSTRUCTION = 'End with a report, which is kept for you: # Task, ## Summary (2-3 sentences), ## Details, ## Recommendations.';

/** For a subagent whose last message Holdfast saves as its report. A memory without records has no index. */
async function memoryInstructions(memory: Memory, root: string): Promise<readonly string[]> {
  const hasIndex = (await memory.store.stat({ root: 'private', path: '_index.md' })) !== undefined;
  const index = `Memory: ${root.replace(/[/\\]+$/, '')}/_index.md lists what is remembered; read, never write there.`;
  return hasIndex ? [index, REPORT_INSTRUCTION] : [REPORT_INSTRUCTION];
}

/** Marks the requested save as in progress when Holdfast's drafter starts. */
function markSaving({ notes }: HookContext, { session, agentType = '' }: HookCall): void {
  if (session === undefined || !agentType.endsWith('memory-drafter')) return;
  const { save } = notes.read(session);
  // A client that runs subagents in the background may end the turn before they start.
  if (save?.state === 'pending' || save?.state === 'failed') notes.change(session, { save: { ...save, state: 'saving' } });
}

const INPUT_LENGTH = 4_000;

/** Whether a transcript line calls a tool that reads outside text, which the report may repeat. */
function readsOutside(line: string, memory: Memory, project: string | undefined): boolean {
  if (!line.includes('tool_use')) return false;
  const record = objectOf(jsonOf(line));
  const toolCalls = assistantContent(objectOf(record?.['message'])?.['content'], INPUT_LENGTH).calls;
  return toolCalls.some((call) => isOutsideTool({ ...call, files: call.files.filter((file) => !isTrustedMemoryFile(memory, file)) }, project));
}

/** Whether a file belongs to the memory and is no quarantined record. */
function isTrustedMemoryFile(memory: Memory, file: string): boolean {
  const root = memory.store.absolute({ root: 'private', path: '' }).replace(/[/\\]*$/, '/');
  const path = file.startsWith(root) ? file.slice(root.length) : undefined;
  if (path === undefined || path.includes('..')) return false;
  return !memory.index.items({ kind: 'record', root: 'private' }).some((item) => item.path === path && isQuarantined(item.trust));
}

/** SubagentStop: saves the subagent's report; skips the client's own unnamed subagents. */
export async function stopSubagent(
  { memory, switched, client }: HookContext,
  call: HookCall,
  { saveReport: save, lastLines }: { readonly saveReport: typeof saveReport; readonly lastLines: LastLines },
): Promise<HookAnswer> {
  const { agentType = '', agentId, agentTranscript, lastMessage, session, cwd } = call;
  if (agentType === '' || isHoldfastAgent(call) || lastMessage === undefined || !switched.allows('capture')) return SILENT;
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
