import { isMemoryFile } from '../guard/guard.ts';
import type { HookEffects } from './answer.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { dialectOf } from './client-dialect.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';
import { actionIn, DELEGATES, judgeTool, noteOpen, SHELL, WRITES } from './tool.ts';

/** The project's memory, and the user's. */
const memoriesOf = ({ memory, recallContext }: HookContext): readonly HookContext['memory'][] => [memory, ...(recallContext.user ? [recallContext.user] : [])];

/** Sets aside or quarantines records that a shell or a tool wrote past the writer, and tells the agent. */
async function settleWrites(context: HookContext, { tool = '', command = '', file }: HookCall, { realPath, guarded }: HookEffects): Promise<HookAnswer> {
  if (!context.switched.acts('guard')) return SILENT;
  const path = WRITES.test(tool) && file !== undefined ? realPath(file) : undefined;
  if (!SHELL.test(tool) && !isMemoryFile(path, guarded)) return SILENT;
  const { settleFile, settleShellWrites } = await import('../guard/shell-writes.ts');
  const lines: string[] = [];
  for (const memory of memoriesOf(context)) {
    if (path === undefined) lines.push(...(await settleShellWrites(memory, command)));
    else
      for (const root of memory.store.roots) {
        const place = await memory.store.locate(root, path);
        if (place.ok) lines.push(...(await settleFile(memory, place.value)));
      }
  }
  return lines.length === 0 ? SILENT : { context: `Holdfast: ${lines.join(' ')} Use memory_save.` };
}

const TAKEN = 'Another subagent reports under this name: choose another one.';

const isTaken = ({ file, agentId }: HookCall, { userPrompts }: HookEffects): boolean =>
  file !== undefined && agentId !== undefined && userPrompts?.isTaken(file, agentId) === true;

async function beforeAction(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const action = context.switched.acts('recall') ? actionIn(call) : undefined;
  if (action === undefined) return SILENT;
  const { recallForAction } = await import('../recall/acting.ts');
  const { text } = await recallForAction(context.memory, recallContextOf(context, call.session), action);
  return text === '' ? SILENT : { context: text };
}

/** What a compaction in the middle of a turn took away comes with the agent's next command. */
async function withLost(context: HookContext, call: HookCall, { lastLines }: HookEffects, answer: HookAnswer): Promise<HookAnswer> {
  if (dialectOf(context.client).startsAfterCompaction || call.agentId !== undefined || !SHELL.test(call.tool ?? '')) return answer;
  const { recoverInTurn } = await import('../runtime/lost-context.ts');
  const told = [await recoverInTurn(context, call, lastLines), answer.context ?? ''].filter((text) => text !== '').join('\n');
  return told === '' ? answer : { ...answer, context: told };
}

/** PreToolUse: judges the call, notes what it is about to open or delegate, and tells what memory has on it. */
export async function beforeTool(context: HookContext, call: HookCall, effects: HookEffects): Promise<HookAnswer> {
  const judged = judgeTool(context, call, call.file === undefined ? undefined : effects.realPath(call.file), effects.guarded);
  if (isTaken(call, effects)) return { permission: 'deny', reason: TAKEN };
  // Deny first: on a full disk the note below fails.
  if (judged.permission === 'deny') return judged;
  if (SHELL.test(call.tool ?? '') && context.switched.acts('guard'))
    for (const memory of memoriesOf(context)) await (await import('../guard/shell-writes.ts')).adoptManualEdits(memory, call.command ?? '');
  if (DELEGATES.test(call.tool ?? '')) (await import('./subagent.ts')).noteTask(context, call);
  else noteOpen(context, call);
  if (dialectOf(context.client).tellsAfterTool) return { ...judged, ...(await beforeAction(context, call)) };
  return { ...judged, ...(await withLost(context, call, effects, await beforeAction(context, call))) };
}

/** PostToolUse: what was written past the writer; and what memory has on the call, in clients that drop it before. */
export async function afterTool(context: HookContext, call: HookCall, effects: HookEffects): Promise<HookAnswer> {
  const acting = dialectOf(context.client).tellsAfterTool ? await withLost(context, call, effects, await beforeAction(context, call)) : SILENT;
  return { ...acting, ...(await settleWrites(context, call, effects)) };
}
