import { spokenLines } from '../../core/episode/spoken-lines.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import { sentencesOf } from '../triage/prose.ts';
import { one, saying } from '../triage/words.ts';
import { isSmallTalk } from './closing-parts.ts';
import { distinct, firstSentence, listItem, shortened, wholeItem, wholeWithin, withoutMarks } from './text.ts';
import type { ConversationTurn } from './turns.ts';

/** Prompts that move the work along and say nothing about it. */
const COURTESY = one('please|ok(?:ay)?|yes|and|now|then|so|great|perfect|thanks?(?: you)?|wait|cool|good');
const MOVES_ON = one(
  'h?push|continue|go on|go ahead|proceed|retry|try again|clear|hi|hello|hey|next|do it',
  String.raw`update (?:the )?change\s?log(?:\.md)?.{0,20}`,
);
const ROUTINE = new RegExp(String.raw`^(?:${COURTESY}[,.! ]*)*(?:comm?it?t?\b.{0,40}|${MOVES_ON}[.! ]*)?$`, 'i');
const HANDED_OVER = /^\s*(?:implement|execute|apply|carry out) (?:the following|this) plan:?\s*/i;
const PREFIX = /^(?:implementation )?(?:plan|fix|bug fix|bug|feature|task|assessment)\s*[:–—-]\s*/i;
/** A longer prompt that is no plan holds something pasted. */
const PASTE = 1_500;
const FURTHER = 3;
/** A later prompt shorter than this answers a question and sets no goal. */
const REPLY = 30;

export const isCommitRequest = (prompt: string): boolean => prompt.length < 120 && /\bcomm?it?t?\b/i.test(prompt) && !/\bdon't\b/i.test(prompt);
/** A letter or a sign answers something and asks for nothing; a number may pick from a list. */
const SAYS_NOTHING = /^[\x00-\x7f]*$/;
const isRoutine = (prompt: string): boolean =>
  (SAYS_NOTHING.test(prompt) && !/[a-z]{2}|\d/i.test(prompt)) ||
  (prompt.length < 80 && ROUTINE.test(prompt.trim())) ||
  (prompt.length < 70 && isCommitRequest(prompt));
const isPlan = (prompt: string): boolean => HANDED_OVER.test(prompt);

const headingIn = (plan: string): string => withoutMarks(/^#{1,3}\s+(.+)$/m.exec(plan.replace(HANDED_OVER, ''))?.[1] ?? '').replace(PREFIX, '');

/** The title of a plan. */
export const planTitle = (plan: string): string => shortened(headingIn(plan) || withoutMarks(firstSentence(plan)), 120);

const SALUTATION = String.raw`(?:(?:hey|hi|hello|howdy|greetings)(?: there| all| everyone| team)?|(?:good )?(?:morning|afternoon|evening)|good day)`;
const GREETING = String.raw`(?:ok(?:ay)?|oh|so|well|wait|great|thanks?|${SALUTATION})(?: claude)?\s*[,.!–—-]+\s+`;
const ASKING = one('(?:can|could|would) you (?:please )?', 'please ', `i(?:'d| would) like (?:you to|your help with) `);
const POLITE = new RegExp(`^(?:${GREETING})*${ASKING}?`, 'i');
const POLITE_REQUEST = new RegExp(`^(?:${GREETING})*${ASKING}`, 'i');
/** A command line, or what it printed, copied out of a terminal. */
const TERMINAL_LINE = /^\s*(?:[❯➜$%] |\w+@[\w-]+[: ]|(?:error|warning|fatal|panic):)/i;
const GREETS = new RegExp(`^${SALUTATION}(?: claude)?[.!,]*$`, 'i');
const ANSWER = /^(?:yes|no|ok(?:ay)?|yeah|yep|nope|sure|right|thanks|perfect|great)[.!,]*$/i;
const WANTS = saying(
  `can you|could you|please|i(?:'d)? (?:want|like|need)|we (?:should|need|must|want)|let's|help|how (?:can|do) i|do you think|would it`,
  `fix|add|update|implement|investigate|remove|make|create|change|search|explain|write|move|use|should(?:n't| not)?`,
);

/** From `[Error]` or `[12:30:01] …` on, a prompt repeats a log. */
const LOGGED = /(?<=.{10})\s*(?:[:–—-]\s*)?\[(?:\d|\w+\]\s).*$/;

/** The part of a goal about the requests after the first. */
const LATER_REQUESTS = 'Asked after that: ';

/** A session without a stated goal. */
const UNTOLD = 'No goal was stated';

/** The request of a prompt in one line: the sentence that asks for something, after the one that describes the situation. */
export function requestOf(prompt: string, limit: number): string {
  const heading = isPlan(prompt) ? headingIn(prompt) : '';
  if (heading !== '') return shortened(heading, limit);
  if (TERMINAL_LINE.test(prompt)) return afterPaste(prompt, limit);
  const spoken = spokenLines(prompt).filter((line) => line.trim() !== '' && !TERMINAL_LINE.test(line));
  const opening = withoutMarks((spoken.length > 0 ? spoken : prompt.split('\n')).slice(0, 6).join(' '))
    .replace(/\[(?:image|pasted text|file)[^\]]*\]\s*/gi, '')
    .replace(LOGGED, '')
    .replace(/https?:\/\/\S{30,}/g, (url) => `${url.slice(0, 28)}…`);
  const sentences = opening
    .split(/(?<=[.!?]) (?=[\p{Lu}"`@])/u)
    .map((sentence) => (POLITE_REQUEST.test(sentence) ? sentence.replace(/\s*\?+$/, '') : sentence).replace(POLITE, '').trim())
    .filter((sentence) => sentence.length > 3 && !ANSWER.test(sentence) && !GREETS.test(sentence));
  const [first = opening, ...rest] = sentences;
  const wanted = WANTS.test(first) ? undefined : rest.slice(0, 4).find((sentence) => WANTS.test(sentence));
  return wholeItem(wanted === undefined ? first : `${wholeWithin(first, 120)} ${wanted}`, limit);
}

/** The request of a prompt that begins with a paste: its last paragraph, unless that is pasted too; else empty. */
function afterPaste(prompt: string, limit: number): string {
  const paragraphs = prompt.trim().split(/\n\s*\n/);
  const last = paragraphs.at(-1) ?? '';
  return paragraphs.length < 2 || TERMINAL_LINE.test(last) ? '' : requestOf(last, limit);
}

/** A prompt that picks from a numbered list: `3 but on this branch`. */
const PICK = /^(?:option |number |#)?(\d{1,2})(?=$|[,.):]|\s+(?:but|and|please|then|with|also)\b)[,.):]*\s*/i;

/** A pick in the words of the list that the agent showed last; the prompt itself where there is none. */
function picked(prompt: string, shown: string): string {
  const number = PICK.exec(prompt)?.[1];
  if (number === undefined) return prompt;
  const entry = new RegExp(String.raw`^\s*\|?\s*(?:\*\*)?${number}(?:\*\*)?\s*[.):|]\s*([^|\n]{4,200})`, 'm').exec(shown)?.[1];
  const rest = prompt.replace(PICK, '');
  return entry === undefined ? prompt : `${withoutMarks(entry)}${rest === '' ? '' : `, ${rest}`}`;
}

const PARTING = 100;
/** A short prompt with thanks that led to nothing. */
const isParting = ({ prompt, acted }: ConversationTurn): boolean =>
  !acted && prompt.length < PARTING && !prompt.includes('?') && /\b(?:thanks?|thank you|thx|cheers)\b/i.test(prompt);

/** The goal, from the prompts: the first that says something, and what was asked after it. */
export function goalOf(turns: readonly ConversationTurn[], title: string | undefined): string {
  const spoken = turns.filter((turn) => turn.prompt !== '' && !isRoutine(turn.prompt) && !isSmallTalk(turn.prompt));
  const requestTurns = spoken.filter((turn, at) => at === 0 || (turn.prompt.length >= REPLY && !isParting(turn)));
  const requests = requestTurns.map((turn) => requestOf(picked(turn.prompt, turns[turns.indexOf(turn) - 1]?.closing ?? ''), 260));
  // A corrected prompt that was sent again replaces the first try.
  const [first, ...rest] = distinct(requests.filter((request, at) => !requests.slice(at + 1).some((later) => later.startsWith(request.slice(0, 30)))));
  if (first === undefined) return title ?? (wholeItem(turns[0]?.prompt ?? '', 220) || UNTOLD);
  const further = rest.slice(0, FURTHER).map((request) => wholeItem(request, 160));
  const more = rest.length > FURTHER ? `; and ${rest.length - FURTHER} more ${rest.length - FURTHER === 1 ? 'request' : 'requests'}` : '';
  return further.length === 0 ? first : `${first.replace(/[.\s]+$/, '')}${/[?!]$/.test(first) ? '' : '.'} ${LATER_REQUESTS}${further.join('; ')}${more}`;
}

/** The first request that says something, in a line; empty when none does. */
export function sessionTask(turns: readonly ConversationTurn[]): string {
  const first = turns.find(({ prompt }) => prompt.length >= REPLY && !isRoutine(prompt) && (isPlan(prompt) || typedSentences(prompt).length > 0));
  return first === undefined ? '' : requestOf(first.prompt, 140);
}

/** Why it was asked, in a sentence or two: the problem that a plan tells of, or the rest of the first prompt. */
export function contextOf(turns: readonly ConversationTurn[]): string {
  const first = turns.find((turn) => turn.prompt !== '' && !isRoutine(turn.prompt));
  if (first === undefined || (!isPlan(first.prompt) && first.prompt.length > PASTE)) return '';
  const sentences = sentencesOf(first.prompt.replace(HANDED_OVER, ''));
  const goal = isPlan(first.prompt)
    ? sentences.filter((sentence) => /\b(?:context|background|problem|contexte|overview|goal)\b/i.test(sentence.under))
    : sentences.slice(1);
  return shortened(
    withoutMarks(
      goal
        .filter(
          (sentence) => !sentence.asks && !sentence.listed && sentence.plain.length > 30 && /^[\p{Lu}`"(]/u.test(sentence.text) && !sentence.text.endsWith(':'),
        )
        .slice(0, 2)
        .map((sentence) => sentence.text)
        .join(' '),
    ),
    360,
  );
}

/** Checks that a plan asks a person to make and no tool can. */
export function handChecks(turns: readonly ConversationTurn[]): string[] {
  const plan = turns.find((turn) => isPlan(turn.prompt))?.prompt ?? '';
  const part = /^#{1,4}\s+(?:verification|vérification|test plan|manual testing)\b[\s\S]*$/im.exec(plan)?.[0] ?? '';
  const lines = part.split('\n').filter((line) => /^\s{0,3}(?:[-*]|\d+[.)])\s/.test(line));
  return lines
    .map((line) => listItem(line.replace(/^\s*(?:[-*]|\d+[.)])\s+(?:\[[ x]\]\s*)?/, ''), 150))
    .map((line) => line.replace(/\s*[—–-]\s*(?:verify|confirm)$/i, ''))
    .filter((line) => /\b(?:manual(?:ly)?|visual(?:ly)?|in (?:the )?browser|by hand|click|open the app|navigate)\b/i.test(line))
    .slice(0, 2);
}
