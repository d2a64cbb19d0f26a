import { analyze } from '../text/analyze.ts';
import { STOP_WORDS } from '../text/words.ts';
import { type TimeContext, type TimeHint, timeIn } from './time.ts';

/** The kind of answer that a question wants: a time, a place, the title of a work, or anything. */
export type Wanted = 'time' | 'place' | 'title' | 'anything';

export interface Question {
  readonly text: string;
  /** Its terms in order, repeated where it repeats them. */
  readonly sequence: readonly string[];
  /** Words that may be one word elsewhere: "road trip" and "roadtrip". */
  readonly joined: readonly string[];
  /** Beginnings of words, typed with a star. */
  readonly prefixes: readonly string[];
  /** The phrases in quotation marks, to be found word for word. */
  readonly quoted: readonly string[];
  readonly wanted: Wanted;
  readonly time?: TimeHint;
}

/** A pasted log must not become a thousand terms. */
const LONGEST = 4_000;
/** The first that fits counts. */
const ASKS: readonly (readonly [Wanted, RegExp])[] = [
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
    joined: joinedIn(short),
    prefixes: [...short.matchAll(/([\p{L}\p{N}]{2,})\*/gu)].map(([, start]) => (start as string).toLowerCase()),
    quoted: [...short.matchAll(/["“]([^"“”]{3,200})["”]/g)].map(([, words]) => (words as string).trim()).filter((words) => /\s|[^\p{L}\p{N}]/u.test(words)),
    wanted: ASKS.find(([, asks]) => asks.test(short))?.[0] ?? 'anything',
    ...(time === undefined ? {} : { time }),
  };
}

const MOST_JOINED = 24;

function joinedIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  const joined = new Set<string>();
  for (let at = 0; at + 1 < words.length && joined.size < MOST_JOINED; at++) {
    const [first, second] = [words[at] as string, words[at + 1] as string];
    const whole = `${first}${second}`;
    if (whole.length > 4 && !STOP_WORDS.has(first) && !STOP_WORDS.has(second)) for (const term of analyze(whole)) joined.add(term);
  }
  return [...joined];
}
