import type { Episode } from '../episodes/read.ts';
import type { GuardedFolders } from '../guard/guard.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { dialectOf } from './client-dialect.ts';
import type { HookContext } from './hook-context.ts';
import type { PromptEffects } from './prompt.ts';
import type { saveReport } from '../reports/save-report.ts';
import type { StopEffects } from './stop.ts';

/** What the answer to an event uses besides its context. */
export interface HookEffects extends StopEffects, PromptEffects {
  /** The real path of a file that may not exist yet, links resolved. */
  readonly realPath: (file: string) => string;
  readonly guarded: GuardedFolders;
  /** Saves a subagent's report. */
  readonly saveReport: typeof saveReport;
  /** The session of a transcript; undefined if there is none yet. */
  readonly episodeOf: (transcript: string) => Promise<Episode | undefined>;
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
    case 'PreToolUse':
      return (await import('./tool-events.ts')).beforeTool(context, call, effects);
    case 'PostToolUse':
      return (await import('./tool-events.ts')).afterTool(context, call, effects);
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
      return {
        backgroundWork: { ...(call.session !== undefined && { session: call.session }), ...(call.transcript !== undefined && { transcript: call.transcript }) },
      };
  }
}
