import { saying } from '../triage/words.ts';
import type { ToolActivity } from './tool-activity.ts';
import { isCommitRequest } from './prompts.ts';
import type { ConversationTurn } from './turns.ts';

export type SessionOutcome = 'success' | 'partial' | 'blocked' | 'abandoned';

const FINISHED = saying(
  'done|completed?|committed|successfully|fixed|implemented|updated|added|pushed|merged|created|resolved|works? now|is in place|removed',
  String.raw`all (?:\d+ )?(?:tests|changes|checks|fixes|good|clean)`,
);
const HELD_UP = new RegExp(
  [
    String.raw`\b(?:blocked (?:by|because|on)|commit (?:was|is) blocked|hook (?:failed|fails|is failing)|waiting for|haven't granted)\b`,
    String.raw`\bfail(?:s|ed) (?:at|because|due to)\b`,
    String.raw`\b(?:can't|cannot|couldn't) (?:proceed|continue|commit|access|reproduce|complete)\b|\bneed (?:your|you to|access|permission|to skip)\b`,
    String.raw`\brequires? (?:your|approval)\b|--no-verify`,
    String.raw`\bfailures? (?:is|are) (?:all )?from\b|\b(?:isn't|aren't|not) (?:yet )?configured(?: yet)?\b`,
  ].join('|'),
  'i',
);
const ASKS = /\?\s*["'”)*_`]*\s*$/;

export const asksUser = (closing: string): boolean =>
  ASKS.test(closing.slice(-400)) && !/\b(?:anything else|what'?s next|help you with)\b/i.test(closing.slice(-200));
export const isHeldUp = (closing: string): boolean => HELD_UP.test(closing);

/** How a session ended, from its last turn and from what the tools said. */
export function outcomeOf(turns: readonly ConversationTurn[], ledger: ToolActivity): SessionOutcome {
  const last = turns.at(-1);
  const done = ledger.files.length > 0 || ledger.commits.length > 0;
  if (last === undefined) return done ? 'partial' : 'abandoned';
  if (!done) return withoutChanges(last, turns);
  const open = ledger.files.some((file) => !file.committed);
  const failing = ledger.checks.some((check) => !check.passed && check.kind !== 'build');
  const wantsCommit = turns.some((turn) => isCommitRequest(turn.prompt));
  if (open && wantsCommit && ledger.commits.length === 0) return isHeldUp(last.closing) ? 'blocked' : 'partial';
  if (last.refused || last.closing === '') return 'partial';
  if (failing && ledger.commits.length === 0) return 'partial';
  if (isHeldUp(last.closing)) return asksUser(last.closing) && ledger.commits.length === 0 ? 'blocked' : 'partial';
  if (ledger.tasks.some((task) => task.state !== 'completed') && ledger.tasks.some((task) => task.state === 'completed') && open) return 'partial';
  return FINISHED.test(last.closing) || ledger.commits.length > 0 ? 'success' : 'partial';
}

function withoutChanges(last: ConversationTurn, turns: readonly ConversationTurn[]): SessionOutcome {
  if (last.refused) return turns.some((turn) => turn.closing.length > 200) ? 'partial' : 'abandoned';
  if (last.closing === '') return 'abandoned';
  if (isHeldUp(last.closing)) return 'blocked';
  return last.closing.length > 120 && !/^(?:let me|i'll|now )/i.test(last.closing) ? 'success' : 'partial';
}
