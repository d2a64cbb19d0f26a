import type { GuardedFolders } from '../guard/guard.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import type { HookDesk } from './desk.ts';
import { answerPrompt, type InView } from './prompt.ts';
import { startSession } from './start.ts';
import { judgeTool } from './tool.ts';

/** What the events reach for beyond the desk. */
export interface HookReach {
  readonly inView: InView;
  /** The real path of a file that may not exist yet, links resolved. */
  readonly realPath: (file: string) => string;
  readonly guarded: GuardedFolders;
}

/** One event of a session, whichever it is. */
export async function answerHook(desk: HookDesk, call: HookCall, reach: HookReach): Promise<HookAnswer> {
  if (!desk.switched.on) return SILENT;
  switch (call.event) {
    case 'SessionStart':
      return startSession(desk, call);
    case 'UserPromptSubmit':
      return answerPrompt(desk, call, reach.inView);
    case 'PreToolUse':
      return judgeTool(desk, call, call.file === undefined ? undefined : reach.realPath(call.file), reach.guarded);
    case 'SubagentStart':
    case 'SubagentStop':
    case 'Stop':
    case 'PreCompact':
    case 'PostCompact':
    case 'SessionEnd':
      return SILENT;
  }
}
