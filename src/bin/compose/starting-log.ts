import { existsSync } from 'node:fs';
import { feedbackMark, leavePending } from '../../adapters/sqlite/pending.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';

const NO_FEEDBACK: ReadonlyMap<string, number> = new Map();

/** The log as the start of a session uses it: opened only for what was said before. What is said now is left as a file beside it, which it takes in before it answers anything. */
export const startingLog = (log: InjectionLog, state: string, isNew: boolean): InjectionLog => ({
  note: (injection) => leavePending(state, injection),
  spent: (session) => (isNew ? 0 : log.spent(session)),
  feedbackOf: (ids) => (existsSync(feedbackMark(state)) ? log.feedbackOf(ids) : NO_FEEDBACK),
  shown: (session) => log.shown(session),
  injections: (session, limit) => log.injections(session, limit),
  say: (feedback) => log.say(feedback),
  verdicts: (ids) => log.verdicts(ids),
});
