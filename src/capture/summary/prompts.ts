import { spokenLines } from '../../core/episode/spoken-lines.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import { sentencesOf } from '../triage/prose.ts';
import { one, saying } from '../triage/words.ts';
import { isSmallTalk } from './closing-parts.ts';
import { distinct, firstSentence, listItem, shortened, wholeItem, wholeWithin, withoutMarks } from './text.ts';
import type { ConversationTurn } from './turns.ts';

/** Prompts that only tell the agent to go on. */
const COURTESY = one('please|ok(?:ay)?|yes|and|now|then|so|great|perfect|thanks?(?: you)?|wait|cool|good');
const MOVES_ON = one(
  'h?push|continue|go on|go ahead|proceed|retry|try again|clear|hi|hello|hey|next|do it',
  String.raw`update (?:the )?change\s?log(?:\.md)?.{0,20}`,
);
const ROUTINE = new RegExp(String.raw`^(?:${COURTESY}[,.! ]*)*(?:comm?it?t?\b.{0,40}|${MOVES_ON}[.! ]*)?$`, 'i');
const HANDED_OVER = /^\s*(?:implement|execute|apply|carry out) (?:the following|this) plan:?\s*/i;
const PREFIX = /^(?:implementation )?(?:plan|fix|bug fix|bug|feature|task|assessment)\s*[:–—-]\s*/i;
/** A longer prompt that is no plan contains pasted text. */
const PASTE = 1_500;
const FURTHER = 3;
/** A later prompt shorter than this answers a question and sets no goal. */
const REPLY = 30;

export const isCommitRequest = (prompt: string): boolean => prompt.length < 120 && /\bcomm?it?t?\b/i.test(prompt) && !/\bdon't\b/i.test(prompt);
/** In an ASCII text, a single letter or sign is an answer; a number may pick from a list. */
const IS_ASCII = /^[\x00-\x7f]*$/;
const isRoutine = (prompt: string): boolean =>
  (IS_ASCII.test(prompt) && !/[a-z]{2}|\d/i.test(prompt)) ||
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
/** A command line or its output, copied from a terminal. */
const TERMINAL_LINE = /^\s*(?:[❯➜$%] |\w+@[\w-]+[: ]|(?:error|warning|fatal|panic):)/i;
const GREETS = new RegExp(`^${SALUTATION}(?: claude)?[.!,]*$`, 'i');
const ANSWER = /^(?:yes|no|ok(?:ay)?|yeah|yep|nope|sure|right|thanks|perfect|great)[.!,]*$/i;
const WANTS = saying(
  `can you|could you|please|i(?:'d)? (?:want|like|need)|we (?:should|need|must|want)|let's|help|how (?:can|do) i|do you think|would it`,
  `fix|add|update|implement|investigate|remove|make|create|change|search|explain|write|move|use|should(?:n't| not)?`,
);

/** The rest of a prompt from `[Error]` or `[12:30:01] …` on, which is a pasted log. */
const LOGGED = /(?<=.{10})\s*(?:[:–—-]\s*)?\[(?:\d|\w+\]\s).*$/;

/** Introduces the later requests in a goal. */
const LATER_REQUESTS = 'Asked after that: ';

/** The goal of a session without one. */
const NO_GOAL = 'No goal was stated';

/** The request of a prompt in one line: the first sentence, and if that only describes the situation, the one that asks for something. */
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
  const request = WANTS.test(first) ? undefined : rest.slice(0, 4).find((sentence) => WANTS.test(sentence));
  return wholeItem(request === undefined ? first : `${wholeWithin(first, 120)} ${request}`, limit);
}

/** The request of a prompt that begins with pasted text: its last paragraph; empty if that is pasted too. */
function afterPaste(prompt: string, limit: number): string {
  const paragraphs = prompt.trim().split(/\n\s*\n/);
  const last = paragraphs.at(-1) ?? '';
  return paragraphs.length < 2 || TERMINAL_LINE.test(last) ? '' : requestOf(last, limit);
}

/** A prompt that picks from a numbered list: `3 but on this branch`. */
const PICK = /^(?:option |number |#)?(\d{1,2})(?=$|[,.):]|\s+(?:but|and|please|then|with|also)\b)[,.):]*\s*/i;

/** The picked entry of the agent's last list in its own words; the prompt itself if it picks none. */
function pickedOption(prompt: string, closing: string): string {
  const number = PICK.exec(prompt)?.[1];
  if (number === undefined) return prompt;
  const entry = new RegExp(String.raw`^\s*\|?\s*(?:\*\*)?${number}(?:\*\*)?\s*[.):|]\s*([^|\n]{4,200})`, 'm').exec(closing)?.[1];
  const rest = prompt.replace(PICK, '');
  return entry === undefined ? prompt : `${withoutMarks(entry)}${rest === '' ? '' : `, ${rest}`}`;
}

const PARTING = 100;
/** A short prompt with thanks that led to nothing. */
const isParting = ({ prompt, usedTool: acted }: ConversationTurn): boolean =>
  !acted && prompt.length < PARTING && !prompt.includes('?') && /\b(?:thanks?|thank you|thx|cheers)\b/i.test(prompt);

/** The goal, from the first meaningful prompt and the requests after it. */
export function goalOf(turns: readonly ConversationTurn[], title: string | undefined): string {
  const spoken = turns.filter((turn) => turn.prompt !== '' && !isRoutine(turn.prompt) && !isSmallTalk(turn.prompt));
  const requestTurns = spoken.filter((turn, at) => at === 0 || (turn.prompt.length >= REPLY && !isParting(turn)));
  const requests = requestTurns.map((turn) => requestOf(pickedOption(turn.prompt, turns[turns.indexOf(turn) - 1]?.closing ?? ''), 260));
  // A prompt that was corrected and sent again replaces the first version.
  const [first, ...rest] = distinct(requests.filter((request, at) => !requests.slice(at + 1).some((later) => later.startsWith(request.slice(0, 30)))));
  if (first === undefined) return title ?? (wholeItem(turns[0]?.prompt ?? '', 220) || NO_GOAL);
  const further = rest.slice(0, FURTHER).map((request) => wholeItem(request, 160));
  const more = rest.length > FURTHER ? `; and ${rest.length - FURTHER} more ${rest.length - FURTHER === 1 ? 'request' : 'requests'}` : '';
  return further.length === 0 ? first : `${first.replace(/[.\s]+$/, '')}${/[?!]$/.test(first) ? '' : '.'} ${LATER_REQUESTS}${further.join('; ')}${more}`;
}

/** The first meaningful request in one line; empty if there is none. */
export function sessionTask(turns: readonly ConversationTurn[]): string {
  const first = turns.find(({ prompt }) => prompt.length >= REPLY && !isRoutine(prompt) && (isPlan(prompt) || typedSentences(prompt).length > 0));
  return first === undefined ? '' : requestOf(first.prompt, 140);
}

/** The background of the session in a sentence or two: the problem that a plan describes, or the rest of the first prompt. */
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

/** Checks in a plan that only a person can make. */
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
