import { saying } from '../triage/words.ts';
import type { ToolActivity, SessionCommit } from './tool-activity.ts';
import { isCommitRequest } from './prompts.ts';
import type { ConversationTurn } from './turns.ts';
import { closingParts, isSmallTalk } from './closing-parts.ts';
import { isDone } from './done-lines.ts';
import { distinct, firstSentence, listItem, wholeItem, withoutMarks } from './text.ts';

export type SessionOutcome = 'success' | 'partial' | 'blocked' | 'abandoned';

const FINISHED = saying(
  'done|completed?|committed|successfully|fixed|implemented|updated|added|pushed|merged|created|resolved|works? now|is in place|removed',
  String.raw`all (?:\d+ )?(?:tests|changes|checks|fixes|good|clean)`,
);
const BLOCKER = new RegExp(
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
export const namesBlocker = (text: string): boolean => BLOCKER.test(text);
const isBlocked = (closing: string): boolean => namesBlocker(closing) || closingParts(closing).blocked.length > 0;

/** How a session ended, from its last turn and its tool results. */
export function outcomeOf(turns: readonly ConversationTurn[], activity: ToolActivity): SessionOutcome {
  // Thanks and goodbyes say nothing about the outcome.
  const last = turns.findLast(({ prompt }) => !isSmallTalk(prompt)) ?? turns.at(-1);
  const done = activity.files.length > 0 || activity.commits.length > 0;
  if (last === undefined) return done ? 'partial' : 'abandoned';
  if (!done) return withoutChanges(last, turns);
  const open = activity.files.some((file) => !file.committed);
  const failing = activity.checks.some((check) => !check.passed && check.kind !== 'build');
  const wantsCommit = turns.some((turn) => isCommitRequest(turn.prompt));
  if (open && wantsCommit && activity.commits.length === 0) return isBlocked(last.closing) ? 'blocked' : 'partial';
  if (last.wasRefused || last.closing === '') return 'partial';
  if (failing && activity.commits.length === 0) return 'partial';
  if (isBlocked(last.closing)) return asksUser(last.closing) && activity.commits.length === 0 ? 'blocked' : 'partial';
  if (activity.tasks.some((task) => task.state !== 'completed') && activity.tasks.some((task) => task.state === 'completed') && open) return 'partial';
  return FINISHED.test(last.closing) || activity.commits.length > 0 || reportedItems(last.closing, 1).length > 0 ? 'success' : 'partial';
}

function withoutChanges(last: ConversationTurn, turns: readonly ConversationTurn[]): SessionOutcome {
  if (last.wasRefused) return turns.some((turn) => turn.closing.length > 200) ? 'partial' : 'abandoned';
  if (last.closing === '') return 'abandoned';
  if (isBlocked(last.closing)) return 'blocked';
  if (last.cutShort || announces(last.closing)) return turns.some((turn) => turn !== last && turn.closing.length > 200) ? 'partial' : 'abandoned';
  return last.closing.length > 120 && !/^(?:let me|i'll|now )/i.test(last.closing) ? 'success' : 'partial';
}

const SETS_OUT =
  /^(?:(?:now|ok(?:ay)?|so),? )?(?:let me(?! know)|i'll (?:now|start|go|look|check|run|read|delegate|launch)|delegating|dispatching|launching|spawning|kicking off|starting|running|reading|investigating|checking)\b/i;

/** Whether the last sentence announces a next step, which then did not happen. */
function announces(closing: string): boolean {
  const last =
    withoutMarks(closing.trim().split('\n').at(-1) ?? '')
      .split(/(?<=[.!?]) (?=[\p{Lu}`])/u)
      .at(-1) ?? '';
  return SETS_OUT.test(last) && !/[?]$/.test(last);
}

const ACTED = /^(?:(?:i|we)(?:'ve| have)? (?:(?:also|then|just|\w+ly) )?)?(?:\w+ly )?\w+(?:ed|wrote|made|put|built|split|hid)\b/i;
const LEAD = /^(?:done|perfect|great|excellent|the fix(?: is| was)?(?: simple| straightforward)?)[.!,:—–-]*\s*/i;
const LISTED = /^ ?(?:[-*•]|\d+[.)])\s|^(?:\*\*|__)\S/;
const PER_SESSION = 8;

const bodyOf = (closing: string): string[] => closing.replace(/```[\s\S]*?(?:```|$)/g, '').split('\n');

/** A shorter line is no report of work. */
const SHORTEST = 20;

/** The finished work that an agent's last message lists, one line each. */
function reportedItems(closing: string, limit: number): string[] {
  const { done } = closingParts(closing);
  if (done.length > 0) return done.slice(0, limit);
  const lines = bodyOf(closing);
  const listedLines = lines.filter((line) => line.length > SHORTEST && LISTED.test(line)).map((line) => line.replace(/^(?:\s*(?:[-*•—–]|\d+[.)])\s+)+/, ''));
  const items = listedLines
    .map((line) => firstSentence(withoutMarks(line).replace(/^\d+[.)]\s+/, '')))
    .filter((line) => isDone(line) && line.length > SHORTEST);
  if (items.length > 0) return items.map((line) => wholeItem(line)).slice(0, limit);
  const sentences = lines
    .filter((line) => line.length > SHORTEST && !/^\s*(?:#|\||>)/.test(line))
    .flatMap((line) => withoutMarks(line).split(/(?<=[.!?]) (?=[\p{Lu}`])/u))
    .filter((sentence) => isDone(sentence) && !/:$|^[-*•]|^(?:now |let me|i'll|i need)/i.test(sentence) && sentence.length > SHORTEST);
  const acted = sentences.filter((sentence) => ACTED.test(sentence.replace(LEAD, '')));
  return (acted.length > 0 ? acted : sentences).map((sentence) => wholeItem(sentence.replace(LEAD, ''))).slice(0, Math.min(2, limit));
}

const commitLine = ({ hash, subject }: SessionCommit): string =>
  listItem(hash === undefined ? `Committed: ${subject}` : `Committed ${hash.slice(0, 8)}: ${subject}`);

/** Finished work: the agent's reports at the end of each turn, and the commits. */
export function completedIn(turns: readonly ConversationTurn[], commits: readonly SessionCommit[], tasksDone: readonly string[]): string[] {
  const closings = turns.filter((turn) => turn.closing !== '');
  const each = closings.length > 3 ? 3 : 5;
  // Prefer turns with work: an answer or a proposal lists much that was not done.
  const workTurns = closings.filter((turn) => turn.didWork || closingParts(turn.closing).done.length > 0);
  const reports = distinct((workTurns.length > 0 ? workTurns : closings).flatMap((turn) => reportedItems(turn.closing, each)));
  const items = reports.length > 0 ? reports : distinct(tasksDone.map((subject) => listItem(subject)));
  const chosen = items.length <= PER_SESSION ? items : [...items.slice(0, PER_SESSION / 2), ...items.slice(-PER_SESSION / 2)];
  const latestCommits = commits.slice(-3).map(commitLine);
  return distinct([
    ...chosen,
    ...(commits.length > 3 ? [`${commits.length - 3} earlier ${commits.length === 4 ? 'commit' : 'commits'}`] : []),
    ...latestCommits,
  ]);
}
