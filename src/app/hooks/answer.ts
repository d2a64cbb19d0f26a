import type { Episode } from '../episodes/read.ts';
import { isKept, type GuardedFolders } from '../guard/guard.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { dialectOf } from './client-dialect.ts';
import { recallContextOf, type HookContext } from './hook-context.ts';
import type { LastLines } from './prompt.ts';
import type { saveReport } from '../reports/save-report.ts';
import type { StopEffects } from './stop.ts';
import { actionIn, DELEGATES, judgeTool, noteOpen, SHELL, WRITES } from './tool.ts';

/** What an event needs besides its context. */
export interface HookEffects extends StopEffects {
  /** The real path of a file that may not exist yet, links resolved. */
  readonly realPath: (file: string) => string;
  readonly guarded: GuardedFolders;
  readonly lastLines: LastLines;
  /** Saves a subagent's report. */
  readonly saveReport: typeof saveReport;
  /** The session of a transcript; undefined where there is none yet. */
  readonly episodeOf: (transcript: string) => Promise<Episode | undefined>;
}

/** The project's memory, and the user's. */
const memoriesOf = ({ memory, recallContext }: HookContext): readonly HookContext['memory'][] => [memory, ...(recallContext.user ? [recallContext.user] : [])];

/** PostToolUse: sets aside or quarantines records that a shell or a tool wrote past the writer, and tells the agent. */
async function afterTool(context: HookContext, { tool = '', command = '', file }: HookCall, { realPath, guarded }: HookEffects): Promise<HookAnswer> {
  if (!context.switched.acts('guard')) return SILENT;
  const path = WRITES.test(tool) && file !== undefined ? realPath(file) : undefined;
  if (!SHELL.test(tool) && !isKept(path, guarded)) return SILENT;
  const { settleFile, settleShellWrites } = await import('../guard/shell-writes.ts');
  const told: string[] = [];
  for (const memory of memoriesOf(context)) {
    if (path === undefined) told.push(...(await settleShellWrites(memory, command)));
    else
      for (const root of memory.store.roots) {
        const place = await memory.store.locate(root, path);
        if (place.ok) told.push(...(await settleFile(memory, place.value)));
      }
  }
  return told.length === 0 ? SILENT : { context: `Holdfast: ${told.join(' ')} Save with memory_save instead.` };
}

const TAKEN = 'Another subagent reports under this name: choose another one.';

const isTaken = ({ file, agentId }: HookCall, { heard }: HookEffects): boolean =>
  file !== undefined && agentId !== undefined && heard?.isTaken(file, agentId) === true;

async function beforeAction(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const action = context.switched.acts('recall') ? actionIn(call) : undefined;
  if (action === undefined) return SILENT;
  const { recallForAction } = await import('../recall/acting.ts');
  const { text } = await recallForAction(context.memory, recallContextOf(context, call.session), action);
  return text === '' ? SILENT : { context: text };
}

/** Answers one event. Each event loads only its own code, because clients without the server start a process for each. */
export async function answerHook(context: HookContext, call: HookCall, effects: HookEffects): Promise<HookAnswer> {
  if (!context.switched.on) return SILENT;
  switch (call.event) {
    case 'SessionStart':
      return (await import('./start.ts')).answerSessionStart(context, call);
    case 'UserPromptSubmit':
      if (call.agentId !== undefined) return (await import('./subagent.ts')).recallForTask(context, call);
      return (await import('./prompt.ts')).answerPrompt(context, call, effects);
    case 'PreToolUse': {
      const judged = judgeTool(context, call, call.file === undefined ? undefined : effects.realPath(call.file), effects.guarded);
      if (isTaken(call, effects)) return { permission: 'deny', reason: TAKEN };
      // Deny first: on a full disk the note below fails.
      if (judged.permission === 'deny') return judged;
      if (SHELL.test(call.tool ?? '') && context.switched.acts('guard'))
        for (const memory of memoriesOf(context)) await (await import('../guard/shell-writes.ts')).adoptManualEdits(memory, call.command ?? '');
      if (DELEGATES.test(call.tool ?? '')) (await import('./subagent.ts')).noteTask(context, call);
      else noteOpen(context, call);
      return { ...judged, ...(await beforeAction(context, call)) };
    }
    case 'PostToolUse':
      return { ...(dialectOf(context.client).tellsAfterTool ? await beforeAction(context, call) : SILENT), ...(await afterTool(context, call, effects)) };
    case 'SubagentStart':
      if (!dialectOf(context.client).keepsReports) return (await import('./subagent.ts')).recallForTask(context, call);
      return (await import('./subagent.ts')).startSubagent(context, call);
    case 'SubagentStop':
      return (await import('./subagent.ts')).stopSubagent(context, call, effects);
    case 'Stop':
      return (await import('./stop.ts')).stopTurn(context, call, effects);
    case 'PreCompact':
      return (await import('./compact.ts')).beforeCompact(context, call, effects.episodeOf);
    case 'PostCompact':
      // Older installations still report it.
      return SILENT;
    case 'SessionEnd':
      return { later: { ...(call.session !== undefined && { session: call.session }), ...(call.transcript !== undefined && { transcript: call.transcript }) } };
  }
}
