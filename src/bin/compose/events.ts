import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { isFile } from '../../adapters/episodes/is-file.ts';
import { startBackground } from '../../adapters/process/background.ts';
import { processes } from '../../adapters/process/running.ts';
import { HOOK_EVENTS, type HookAnswer, type HookCall, SILENT } from '../../app/hooks/call.ts';
import { answersPrompts, deferStart, pendingStart, START_MISSED } from '../../app/runtime/deferred-start.ts';
import { isFinishedByServer, isServed } from '../../app/runtime/session-owner.ts';
import type { SessionNotes } from '../../core/ports/session-notes.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { eventNamed } from '../../edges/hook/parse.ts';
import { locateOn } from '../wiring/locate.ts';
import { runHook } from './hook.ts';
import { sessionNotesOf } from './session-notes.ts';

export interface EventHost {
  readonly client: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** The client that may have our server beside its hooks. */
const SERVED_CLIENT = 'claude-code';

interface SessionEvent {
  readonly call: HookCall;
  readonly client: string;
  readonly home: string;
  readonly cwd: string;
  readonly notes: SessionNotes;
  readonly now: number;
}

/** Any event as a process of its own. Try the cheap answers first; open the memory only if they fail. */
export async function runEvent(name: string, { client, env, home: named }: EventHost): Promise<Result<void>> {
  const event = eventNamed(name);
  if (event === undefined) return refuse('USAGE_ERROR', `there is no event ${JSON.stringify(name)}`, { hint: `one of ${HOOK_EVENTS.join(', ')}` });
  if (env['HOLDFAST_CHILD'] === '1') return ok(undefined);
  await runHook({ event, client, env, home: named }, async (call, cwd, around) => {
    const located = locateOn(cwd, around);
    if (!located) return undefined;
    const { home } = around;
    const session: SessionEvent = { call, client, home, cwd, notes: sessionNotesOf(home, located.project.key), now: around.now() };
    if (event === 'SessionEnd') return endSession(session, env);
    if (event === 'SessionStart' && isLeftToServer(session)) return SILENT;
    const { answerEvent } = await import('./answer-event.ts');
    return answerEvent({ call, cwd, around, located, env, homeNamed: named !== undefined });
  });
  return ok(undefined);
}

/** Whether the server tells a start: one after a compaction when it is asked itself, any other with the first prompt. */
function isLeftToServer({ call: { session, source = 'startup' }, client, home, notes, now }: SessionEvent): boolean {
  if (session === undefined || client !== SERVED_CLIENT) return false;
  // A compaction may come in the middle of a turn, with no prompt to wait for.
  if (source === 'compact') return isServed(notes.read(session), processes);
  if (answersPrompts(new HookLogFolder(placesIn(home).hooks).seen(), client, now) && deferStart(notes, session, { source, at: now })) return true;
  if (notes.read(session).server !== undefined) notes.change(session, { server: undefined });
  return false;
}

/** Leaves what a session has left behind to its server, or to a process in the background. */
function endSession({ call: { session, transcript }, client, home, cwd, notes, now }: SessionEvent, env: EventHost['env']): HookAnswer {
  const note = session === undefined ? {} : notes.read(session);
  if (pendingStart(note)) new HookLogFolder(placesIn(home).hooks).saw(client, START_MISSED, now);
  // A session without a transcript has left nothing to finish.
  if (isFinishedByServer(note, processes) || (transcript !== undefined && !isFile(transcript))) return SILENT;
  startBackground({ home, cwd, ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) }, env);
  return SILENT;
}
