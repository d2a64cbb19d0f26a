import { isMemoryFile } from '../guard/guard.ts';
import type { HookEffects } from './answer.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { dialectOf } from './client-dialect.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';
import { actionIn, SUBAGENT_TOOL, judgeTool, noteOpenFile, SHELL_TOOL, WRITE_TOOL } from './tool.ts';

/** The project's memory, and the user's. */
const memoriesOf = ({ memory, recallContext }: HookContext): readonly HookContext['memory'][] => [memory, ...(recallContext.user ? [recallContext.user] : [])];

/** Sets aside or quarantines records that a shell or a tool wrote without the memory's writer, and tells the agent. */
async function checkWrites(context: HookContext, { tool = '', command = '', file }: HookCall, { realPath, guarded }: HookEffects): Promise<HookAnswer> {
  if (!context.switched.allows('guard')) return SILENT;
  const path = WRITE_TOOL.test(tool) && file !== undefined ? realPath(file) : undefined;
  if (!SHELL_TOOL.test(tool) && !isMemoryFile(path, guarded)) return SILENT;
  const { handleToolWrite, handleShellWrites } = await import('../guard/shell-writes.ts');
  const lines: string[] = [];
  for (const memory of memoriesOf(context)) {
    if (path === undefined) lines.push(...(await handleShellWrites(memory, command)));
    else
      for (const root of memory.store.roots) {
        const place = await memory.store.locate(root, path);
        if (place.ok) lines.push(...(await handleToolWrite(memory, place.value)));
      }
  }
  return lines.length === 0 ? SILENT : { context: `Holdfast: ${lines.join(' ')} Use memory_save.` };
}

const REPORT_NAME_TAKEN = 'Another subagent reports under this name: choose another one.';

const usesOthersReport = ({ file, agentId }: HookCall, { userPrompts }: HookEffects): boolean =>
  file !== undefined && agentId !== undefined && userPrompts?.isReportOfOther(file, agentId) === true;

async function recallForCall(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const action = context.switched.allows('recall') ? actionIn(call) : undefined;
  if (action === undefined) return SILENT;
  const { recallForAction } = await import('../recall/acting.ts');
  const { text } = await recallForAction(context.memory, recallContextOf(context, call.session), action);
  return text === '' ? SILENT : { context: text };
}

/** Adds the recovery after a compaction in the middle of a turn to the answer for the agent's next command. */
async function withLostContext(context: HookContext, call: HookCall, { lastLines }: HookEffects, answer: HookAnswer): Promise<HookAnswer> {
  if (dialectOf(context.client).startsAfterCompaction || call.agentId !== undefined || !SHELL_TOOL.test(call.tool ?? '')) return answer;
  const { recoverInTurn } = await import('../runtime/lost-context.ts');
  const injected = [await recoverInTurn(context, call, lastLines), answer.context ?? ''].filter((text) => text !== '').join('\n');
  return injected === '' ? answer : { ...answer, context: injected };
}

/** PreToolUse: allows or denies the call, notes the file or task, and injects what memory has on it. */
export async function beforeTool(context: HookContext, call: HookCall, effects: HookEffects): Promise<HookAnswer> {
  const judged = judgeTool(context, call, call.file === undefined ? undefined : effects.realPath(call.file), effects.guarded);
  if (usesOthersReport(call, effects)) return { permission: 'deny', reason: REPORT_NAME_TAKEN };
  // Before the notes below, which fail on a full disk.
  if (judged.permission === 'deny') return judged;
  if (SHELL_TOOL.test(call.tool ?? '') && context.switched.allows('guard'))
    for (const memory of memoriesOf(context)) await (await import('../guard/shell-writes.ts')).adoptManualEdits(memory, call.command ?? '');
  if (SUBAGENT_TOOL.test(call.tool ?? '')) (await import('./subagent.ts')).noteTask(context, call);
  else noteOpenFile(context, call);
  if (dialectOf(context.client).injectsAfterTool) return { ...judged, ...(await recallForCall(context, call)) };
  return { ...judged, ...(await withLostContext(context, call, effects, await recallForCall(context, call))) };
}

/** PostToolUse: checks writes without the memory's writer; in clients that drop context before a call, injects what memory has on it. */
export async function afterTool(context: HookContext, call: HookCall, effects: HookEffects): Promise<HookAnswer> {
  const acting = dialectOf(context.client).injectsAfterTool ? await withLostContext(context, call, effects, await recallForCall(context, call)) : SILENT;
  return { ...acting, ...(await checkWrites(context, call, effects)) };
}
