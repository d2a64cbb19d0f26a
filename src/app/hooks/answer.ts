import type { Episode } from '../episodes/read.ts';
import type { GuardedFolders } from '../guard/guard.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { afterCompact, beforeCompact } from './compact.ts';
import type { HookDesk } from './desk.ts';
import { answerPrompt, type LastLines, type Owed } from './prompt.ts';
import type { saveReport } from '../reports/save-report.ts';
import { startSession } from './start.ts';
import { stopTurn, type StopReach } from './stop.ts';
import { noteTask, startSubagent, stopSubagent } from './subagent.ts';
import { judgeTool, noteOpen } from './tool.ts';

/** What the events reach for beyond the desk. */
export interface HookReach extends StopReach {
  /** The real path of a file that may not exist yet, links resolved. */
  readonly realPath: (file: string) => string;
  readonly guarded: GuardedFolders;
  readonly lastLines: LastLines;
  readonly owed: Owed;
  /** Keeps what a subagent found. */
  readonly saveReport: typeof saveReport;
  /** The session of a transcript; undefined where there is none yet. */
  readonly episodeOf: (transcript: string) => Promise<Episode | undefined>;
}

const DELEGATES = /^(?:Agent|Task)$/;

/** One event of a session, whichever it is. */
export async function answerHook(desk: HookDesk, call: HookCall, reach: HookReach): Promise<HookAnswer> {
  if (!desk.switched.on) return SILENT;
  switch (call.event) {
    case 'SessionStart':
      return startSession(desk, call);
    case 'UserPromptSubmit':
      return answerPrompt(desk, call, reach);
    case 'PreToolUse': {
      const judged = judgeTool(desk, call, call.file === undefined ? undefined : reach.realPath(call.file), reach.guarded);
      // A denial does not wait for a note, which a full disk would not take.
      if (judged.permission === 'deny') return judged;
      if (DELEGATES.test(call.tool ?? '')) noteTask(desk, call);
      else noteOpen(desk, call);
      return judged;
    }
    case 'SubagentStart':
      return startSubagent(desk, call);
    case 'SubagentStop':
      return stopSubagent(desk, call, reach);
    case 'Stop':
      return stopTurn(desk, call, reach);
    case 'PreCompact':
      return beforeCompact(desk, call, reach.episodeOf);
    case 'PostCompact':
      return afterCompact(desk, call);
    case 'SessionEnd':
      return { later: { ...(call.session !== undefined && { session: call.session }), ...(call.transcript !== undefined && { transcript: call.transcript }) } };
  }
}
