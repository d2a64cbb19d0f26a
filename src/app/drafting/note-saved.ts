import type { SessionStates } from '../../core/ports/session-states.ts';
import type { DraftOutcome } from './outcome.ts';

/** Records the result of a requested save; if every draft failed or none came, the next stop asks again. */
export function noteSaved(notes: SessionStates, session: string, outcomes: readonly DraftOutcome[]): void {
  const { save } = notes.read(session);
  if (save && outcomes.some(({ status }) => status !== 'failed' && status !== 'skipped')) notes.change(session, { save: { ...save, state: 'saved' } });
}
