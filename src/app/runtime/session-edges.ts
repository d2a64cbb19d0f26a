import type { HookLog } from '../../core/ports/hook-log.ts';
import type { Processes } from '../../core/ports/host.ts';
import type { SessionStates } from '../../core/ports/session-states.ts';
import type { HookCall } from '../hooks/call.ts';
import { answersPrompts, deferStart, pendingStart, START_MISSED } from './deferred-start.ts';
import { type FinishRequest, isFinishedByServer, isServed } from './session-owner.ts';

/** The client that may have our server beside its hooks. */
const SERVED_CLIENT = 'claude-code';

export interface EdgeHost {
  readonly client: string;
  readonly cwd: string;
  readonly now: number;
  readonly notes: SessionStates;
  readonly log: HookLog;
  readonly processes: Processes;
  readonly isFile: (path: string) => boolean;
  /** Starts a background process. */
  readonly start: (request: FinishRequest) => void;
}

/** Whether the server answers this start: after a compaction directly, otherwise with the first prompt. */
export function isLeftToServer({ session, source = 'startup' }: HookCall, { client, now, notes, log, processes }: EdgeHost): boolean {
  if (session === undefined || client !== SERVED_CLIENT) return false;
  // A compaction may come in the middle of a turn, with no prompt to wait for.
  if (source === 'compact') return isServed(notes.read(session), processes);
  if (answersPrompts(log.seen(), client, now) && deferStart(notes, session, { source, at: now })) return true;
  if (notes.read(session).server !== undefined) notes.change(session, { server: undefined });
  return false;
}

/** Has the session's server or a background process finish an ended session. */
export function endSession({ session, transcript }: HookCall, { client, cwd, now, notes, log, processes, isFile, start }: EdgeHost): void {
  const note = session === undefined ? {} : notes.read(session);
  if (pendingStart(note)) log.saw(client, START_MISSED, now);
  // Without a transcript there is nothing to finish.
  if (isFinishedByServer(note, processes) || (transcript !== undefined && !isFile(transcript))) return;
  start({ cwd, ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) });
}
