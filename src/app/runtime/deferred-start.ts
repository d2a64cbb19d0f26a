import type { HookRun } from '../../core/ports/hook-log.ts';
import type { SessionNote, SessionStates, StartNote } from '../../core/ports/session-states.ts';

/** In the hook log: a session ended before its deferred start was injected. */
export const START_MISSED = 'StartMissed';
/** After this long without a prompt, the server is assumed not to answer. */
const PROMPT_TIMEOUT_MS = 5 * 60 * 1000;

/** Whether a server answers this client's prompts. Then the brief comes with the first prompt, in the same model request. */
export function answersPrompts(seen: readonly HookRun[], client: string, now: number): boolean {
  const lastSeen = (event: string): number => seen.find((hook) => hook.client === client && hook.event === event)?.at ?? 0;
  const [prompt, start] = [lastSeen('UserPromptSubmit'), lastSeen('SessionStart')];
  if (prompt === 0 || lastSeen(START_MISSED) > prompt) return false;
  return start <= prompt || now - start < PROMPT_TIMEOUT_MS;
}

/** Defers a start to the server. Returns false if the note cannot be written, so that the start is answered now. */
export function deferStart(notes: SessionStates, session: string, start: StartNote): boolean {
  try {
    notes.change(session, { start, server: undefined });
    return true;
  } catch {
    return false;
  }
}

export const pendingStart = ({ start }: SessionNote): StartNote | undefined => (start?.told === true ? undefined : start);

/** Marks a start as answered. Called after the answer, so that the next prompt tries again if it fails. */
export function markAnswered(notes: SessionStates, session: string): void {
  const { start } = notes.read(session);
  if (!start) return;
  try {
    notes.change(session, { start: { ...start, told: true } });
  } catch {
    // The prompt is answered even on a full disk.
    return;
  }
}
