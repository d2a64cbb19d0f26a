import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { feedbackMark, leavePending } from '../../adapters/sqlite/pending.ts';
import { shownIn, toldTo } from '../../adapters/sqlite/told.ts';
import type { Injection, InjectionLog } from '../../core/ports/injection-log.ts';
import { INJECTIONS_FILE } from './places.ts';

const NO_FEEDBACK: ReadonlyMap<string, number> = new Map();

/** The log as the start of a session uses it: looked into once, and only for what was said before. What is said now is left as a file beside it, which it takes in before it answers anything. */
export function startingLog(log: InjectionLog, state: string, isNew: boolean): InjectionLog {
  const told = new Map<string, readonly Injection[] | undefined>();
  const toldBefore = (session: string): readonly Injection[] | undefined => {
    if (!told.has(session)) told.set(session, toldTo(join(state, INJECTIONS_FILE), session));
    return told.get(session);
  };
  return {
    note: (injection) => leavePending(state, injection),
    spent: (session) => (isNew ? 0 : (toldBefore(session)?.reduce((sum, { tokens }) => sum + tokens, 0) ?? log.spent(session))),
    feedbackOf: (ids) => (existsSync(feedbackMark(state)) ? log.feedbackOf(ids) : NO_FEEDBACK),
    shown: (session) => {
      const before = toldBefore(session);
      return before ? shownIn(before) : log.shown(session);
    },
    injections: (session, limit) => (session === undefined ? undefined : toldBefore(session)?.toReversed().slice(0, limit)) ?? log.injections(session, limit),
    say: (feedback) => log.say(feedback),
    verdicts: (ids) => log.verdicts(ids),
  };
}
