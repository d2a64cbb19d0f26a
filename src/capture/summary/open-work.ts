import { saying } from '../triage/words.ts';
import type { ToolActivity } from './tool-activity.ts';
import { asksUser, namesBlocker, type SessionOutcome } from './outcome.ts';
import { closingParts, isOffer, isSmallTalk } from './closing-parts.ts';
import { handChecks, isCommitRequest, planTitle, requestOf } from './prompts.ts';
import { distinct, isAlike, listItem, withoutMarks } from './text.ts';
import type { ConversationTurn } from './turns.ts';

export interface OpenWork {
  readonly inProgress: readonly string[];
  readonly blockers: readonly string[];
  readonly nextActions: readonly string[];
}

const NEXT = saying(
  `next steps?|you(?:'ll| will)? (?:need|have) to|to complete|once .{3,80}, (?:you|we|it)|remaining|still (?:needs?|to (?:do|be)|missing)`,
  'follow-?up|ready to (?:push|commit|deploy|merge)|(?:would|do) you (?:like|want|prefer)|want me to|shall i|should i|you may need',
  "not (?:yet )?(?:tested|verified|committed|pushed)|left (?:for|to do)|when(?:ever)? (?:you(?:'re| are) )?ready",
);
const UNCOMMITTED_REMARK =
  /\b(?:unrelated|pre-?existing|other)\b.{0,80}\b(?:unstaged|uncommitted|left|remain\w*)\b|\b(?:remain\w*|left) (?:\w+ )?(?:unstaged|uncommitted)\b/i;
/** A reply to something said before, or a report of finished work; neither is a next step. */
const REPLIES =
  /^(?:(?:confirmed|right|agreed|yes|no|good|that|this|it|those|each|you(?:'re| are)(?! ready)|the pr)\b|pr #|`[^`]+:\d+`)|\b(?:out of scope|, but now|left (?:it|untouched|as is))\b/i;
const NAMES = 4;
const SHORTEST = 12;

const sentencesIn = (closing: string): string[] =>
  closing
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .split('\n')
    .filter((line) => line.length > SHORTEST && !/^\s*(?:\||>)/.test(line))
    .flatMap((line) => withoutMarks(line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')).split(/(?<=[.!?]) (?=[\p{Lu}`])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > SHORTEST);

/** `Would you like me to do X?` becomes a decision about X. */
const asAction = (sentence: string): string => {
  const offered = /(?:would you like (?:me )?to|do you want (?:me )?to|want me to|shall i|should i)\s+(.{4,}?)\?*$/i.exec(sentence)?.[1];
  return listItem(offered === undefined ? sentence : `To decide: ${offered}`);
};

function uncommitted(activity: ToolActivity, names: ReadonlyMap<string, string>): string[] {
  const files = activity.files.filter((file) => !file.committed).map((file) => names.get(file.path) ?? file.path);
  if (files.length === 0) return [];
  const more = files.length > NAMES ? ` and ${files.length - NAMES} more` : '';
  return [`Not committed: ${files.slice(0, NAMES).join(', ')}${more}`];
}

const failures = (activity: ToolActivity): string[] =>
  activity.checks
    .filter((check) => !check.passed)
    .map((check) => `${{ tests: 'Tests fail', lint: 'The linter complains', types: 'Type errors', build: 'The build fails' }[check.kind]}`);

/** A report is often followed by a turn that only commits the work or only talks. */
const LAST_TURNS = 2;
const leavesOpen = ({ prompt, usedTool: acted }: ConversationTurn): boolean => !acted || isCommitRequest(prompt) || isSmallTalk(prompt);

/** The open items in the last message that has such parts. */
function lastParts(turns: readonly ConversationTurn[]): { readonly next: readonly string[]; readonly blocked: readonly string[] } {
  const recent = turns.slice(-LAST_TURNS).filter((_, at, all) => all.slice(at + 1).every(leavesOpen));
  const parts = recent.map((turn) => closingParts(turn.closing)).findLast(({ next, blocked }) => next.length + blocked.length > 0);
  return parts ?? { next: [], blocked: [] };
}

/** Unfinished work: work in progress, blockers, and next steps. */
export function openWork(
  turns: readonly ConversationTurn[],
  activity: ToolActivity,
  outcome: SessionOutcome,
  debts: readonly string[],
  names: ReadonlyMap<string, string>,
): OpenWork {
  const last = turns.at(-1);
  const closingSentences = sentencesIn(last?.closing ?? '');
  const parts = lastParts(turns);
  const begun = activity.tasks.filter((task) => task.state === 'in_progress').map((task) => listItem(task.subject));
  const waiting = activity.tasks.filter((task) => task.state === 'pending').map((task) => listItem(task.subject));
  const isCutShort = last !== undefined && (last.closing === '' || ((last.cutShort || outcome === 'abandoned') && outcome !== 'success' && !last.wasRefused));
  const isSilent = isCutShort && last.prompt !== '' && !isSmallTalk(last.prompt) && activity.openPlan === undefined;
  const unanswered = isSilent ? [`Asked last and not ${last.usedTool ? 'finished' : 'answered'}: ${requestOf(last.prompt, 140)}`] : [];
  const refused =
    last?.wasRefused === true && activity.openPlan === undefined
      ? [`The user stopped the last step${last.prompt === '' ? '' : ` (${requestOf(last.prompt, 90)})`}`]
      : [];
  const blockedSentences =
    outcome === 'success'
      ? []
      : closingSentences
          .filter(namesBlocker)
          .slice(0, 2)
          .map((sentence) => listItem(sentence));
  // An offer of the agent is open only while the work waits for the answer.
  const isOpenStep = (sentence: string): boolean =>
    NEXT.test(sentence) && !/\b(?:anything else|feel free|pre-?existing|unrelated)\b/i.test(sentence) && (outcome !== 'success' || !isOffer(sentence));
  const next = parts.next.length > 0 ? [] : closingSentences.filter((sentence) => isOpenStep(sentence) && !REPLIES.test(sentence)).slice(-3);
  const remarks = turns
    .flatMap((turn) => sentencesIn(turn.closing))
    .filter((sentence) => UNCOMMITTED_REMARK.test(sentence) && !/\b(?:nothing|none|no) (?:\w+ )?(?:is |was )?left\b|\bfully (?:clean|clear)\b/i.test(sentence))
    .slice(-1);
  const isCommitExpected = turns.some((turn) => isCommitRequest(turn.prompt)) || activity.commits.length > 0;
  const isOpen = outcome !== 'success' || activity.commits.length > 0 || !isCommitExpected;
  const blockers = distinct([
    ...parts.blocked,
    ...blockedSentences,
    ...refused,
    ...(outcome === 'success' && activity.commits.length > 0 ? [] : failures(activity)),
  ]).slice(0, 4);
  return {
    inProgress: distinct([...begun, ...(isOpen ? uncommitted(activity, names) : [])]).slice(0, 5),
    blockers,
    nextActions: distinct([
      ...unanswered,
      ...(activity.openPlan === undefined ? [] : [`Carry out the plan: ${planTitle(activity.openPlan)}`]),
      ...waiting.slice(0, 4),
      ...parts.next,
      ...(asksUser(last?.closing ?? '') || next.length > 0 ? next.map(asAction) : []),
      ...debts.filter((debt) => !REPLIES.test(debt) && !blockers.some((blocker) => isAlike(blocker, debt))),
      ...handChecks(turns).map((check) => `Not seen done, from the plan: ${check}`),
      ...remarks.map((sentence) => listItem(`Left alone: ${sentence}`)),
    ]).slice(0, 7),
  };
}
