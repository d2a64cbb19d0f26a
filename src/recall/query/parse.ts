import { analyze } from '../text/analyze.ts';
import { STOP_WORDS } from '../text/words.ts';
import { type TimeContext, type TimeHint, timeIn } from './time.ts';

/** The kind of answer that a question asks for; `title` is the title of a work. */
export type AnswerKind = 'time' | 'place' | 'title' | 'anything';

export interface Question {
  readonly text: string;
  /** Its terms in order, repeated where it repeats them. */
  readonly sequence: readonly string[];
  /** Neighbouring words joined, because a text may write "road trip" as "roadtrip". */
  readonly joined: readonly string[];
  /** Word beginnings that were typed with a star. */
  readonly prefixes: readonly string[];
  /** Phrases in quotation marks, matched word for word. */
  readonly quoted: readonly string[];
  readonly answerKind: AnswerKind;
  readonly time?: TimeHint;
}

/** Characters read of a question: a pasted log must not become a thousand terms. */
const LONGEST = 4_000;
/** The first match decides. */
const ANSWER_KINDS: readonly (readonly [AnswerKind, RegExp])[] = [
  ['time', /\bwhen\b|\bhow long\b|\b(?:what|which) (?:date|day|year|month|time|week)\b/i],
  ['place', /^\W*where\b|\b(?:what|which) (?:city|country|state|place|town|location)\b/i],
  ['title', /\b(?:book|movie|film|song|album|game|show|series|band|artist|script|screenplay)s?\b|\b(?:called|named?|titled?)\b/i],
];

export function parseQuestion(text: string, context: TimeContext): Question {
  const short = text.slice(0, LONGEST);
  const time = timeIn(short, context);
  return {
    text: short,
    sequence: analyze(short),
    joined: joinedWords(short),
    prefixes: [...short.matchAll(/([\p{L}\p{N}]{2,})\*/gu)].map(([, start]) => (start as string).toLowerCase()),
    quoted: [...short.matchAll(/["“]([^"“”]{3,200})["”]/g)].map(([, words]) => (words as string).trim()).filter((words) => /\s|[^\p{L}\p{N}]/u.test(words)),
    answerKind: ANSWER_KINDS.find(([, asks]) => asks.test(short))?.[0] ?? 'anything',
    ...(time === undefined ? {} : { time }),
  };
}

const MOST_JOINED = 24;

function joinedWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  const joined = new Set<string>();
  for (let at = 0; at + 1 < words.length && joined.size < MOST_JOINED; at++) {
    const [first, second] = [words[at] as string, words[at + 1] as string];
    const whole = `${first}${second}`;
    if (whole.length > 4 && !STOP_WORDS.has(first) && !STOP_WORDS.has(second)) for (const term of analyze(whole)) joined.add(term);
  }
  return [...joined];
}
