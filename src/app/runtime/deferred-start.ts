import type { SeenHook } from '../../core/ports/hook-log.ts';
import type { SessionNote, SessionStates, StartNote } from '../../core/ports/session-states.ts';

/** In the hook log: a session ended before its deferred start was told. */
export const START_MISSED = 'StartMissed';
/** A start that no prompt has followed for so long was left to a server that does not answer, or its user went away. */
const WAITED_MS = 5 * 60 * 1000;

/** Whether a server answers this client's prompts, so that a start can be told with the first prompt: both reach the model in the same request. */
export function answersPrompts(seen: readonly SeenHook[], client: string, now: number): boolean {
  const lastSeen = (event: string): number => seen.find((hook) => hook.client === client && hook.event === event)?.at ?? 0;
  const [prompt, start] = [lastSeen('UserPromptSubmit'), lastSeen('SessionStart')];
  if (prompt === 0 || lastSeen(START_MISSED) > prompt) return false;
  return start <= prompt || now - start < WAITED_MS;
}

/** Leaves a start to the server. False where that cannot be written down: then it must be told now. */
export function deferStart(notes: SessionStates, session: string, start: StartNote): boolean {
  try {
    notes.change(session, { start, server: undefined });
    return true;
  } catch {
    return false;
  }
}

export const pendingStart = ({ start }: SessionNote): StartNote | undefined => (start?.told === true ? undefined : start);

/** After it was told and not before: what cannot be read today may be with the next prompt. */
export function markTold(notes: SessionStates, session: string): void {
  const { start } = notes.read(session);
  if (!start) return;
  try {
    notes.change(session, { start: { ...start, told: true } });
  } catch {
    // A full disk keeps no prompt from its answer.
    return;
  }
}
