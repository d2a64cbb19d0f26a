import type { HookRun } from '../../core/ports/hook-log.ts';
import type { SessionNote, SessionStates, StartNote } from '../../core/ports/session-states.ts';

/** In the hook log: a session ended before its deferred start was injected. */
export const START_MISSED = 'StartMissed';
/** After this long without a prompt, assume that the server does not answer or the user left. */
const WAITED_MS = 5 * 60 * 1000;

/** Whether a server answers this client's prompts; then the brief can come with the first prompt, in the same model request. */
export function answersPrompts(seen: readonly HookRun[], client: string, now: number): boolean {
  const lastSeen = (event: string): number => seen.find((hook) => hook.client === client && hook.event === event)?.at ?? 0;
  const [prompt, start] = [lastSeen('UserPromptSubmit'), lastSeen('SessionStart')];
  if (prompt === 0 || lastSeen(START_MISSED) > prompt) return false;
  return start <= prompt || now - start < WAITED_MS;
}

/** Defers a start to the server. False if the note cannot be written; then answer now. */
export function deferStart(notes: SessionStates, session: string, start: StartNote): boolean {
  try {
    notes.change(session, { start, server: undefined });
    return true;
  } catch {
    return false;
  }
}

export const pendingStart = ({ start }: SessionNote): StartNote | undefined => (start?.told === true ? undefined : start);

/** Marks a start as answered, only afterwards: if reading fails now, the next prompt tries again. */
export function markAnswered(notes: SessionStates, session: string): void {
  const { start } = notes.read(session);
  if (!start) return;
  try {
    notes.change(session, { start: { ...start, told: true } });
  } catch {
    // Answer the prompt even on a full disk.
    return;
  }
}
