import type { HookMachine } from '../../core/ports/machine.ts';
import type { SessionStates } from '../../core/ports/session-states.ts';
import type { HookCall } from '../hooks/call.ts';
import { dialectOf } from '../hooks/client-dialect.ts';
import { answersPrompts, deferStart, pendingStart, START_MISSED } from './deferred-start.ts';
import { isFinishedByServer, hasLiveServer } from './session-owner.ts';

/** The client whose hooks Holdfast's server answers. */
export const CLIENT_WITH_SERVER = 'claude-code';

export interface SessionEdge {
  readonly machine: Pick<HookMachine, 'processes' | 'hookLog' | 'now' | 'isFile' | 'startBackground'>;
  readonly client: string;
  readonly cwd: string;
  readonly notes: SessionStates;
}

/**
 * Whether this start is not answered by this process: the server answers it, after a compaction at once and otherwise with the first prompt; or the next
 * prompt does, where the client drops the start's context.
 */
export function isStartDeferred({ session, source = 'startup' }: HookCall, { machine, client, notes }: SessionEdge): boolean {
  if (session !== undefined && dialectOf(client).lostStarts.includes(source)) return deferStart(notes, session, { source, at: machine.now() });
  if (session === undefined || client !== CLIENT_WITH_SERVER) return false;
  // A compaction may come in the middle of a turn, with no prompt to wait for.
  if (source === 'compact') return hasLiveServer(notes.read(session), machine.processes);
  const now = machine.now();
  if (answersPrompts(machine.hookLog.lastRuns(), client, now) && deferStart(notes, session, { source, at: now })) return true;
  if (notes.read(session).server !== undefined) notes.change(session, { server: undefined });
  return false;
}

/** Has the session's server or a background process finish an ended session. */
export function endSession({ session, transcript }: HookCall, { machine, client, cwd, notes }: SessionEdge): void {
  const note = session === undefined ? {} : notes.read(session);
  if (pendingStart(note)) machine.hookLog.recordRun(client, START_MISSED, machine.now());
  // Without a transcript there is nothing to finish.
  if (isFinishedByServer(note, machine.processes) || (transcript !== undefined && !machine.isFile(transcript))) return;
  machine.startBackground({ cwd, ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) });
}
