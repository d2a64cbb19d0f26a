import type { SessionStates } from '../../core/ports/session-states.ts';
import type { DraftOutcome } from './outcome.ts';

/** Settles what the end of a turn asked for; where every draft failed, or none was there, it is asked for again. */
export function noteSaved(notes: SessionStates, session: string, outcomes: readonly DraftOutcome[]): void {
  const { save } = notes.read(session);
  if (save && outcomes.some(({ status }) => status !== 'failed' && status !== 'skipped')) notes.change(session, { save: { ...save, state: 'saved' } });
}
