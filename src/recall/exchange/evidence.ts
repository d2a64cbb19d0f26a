import { EVERYDAY, REQUEST_WORDS } from './common-words.ts';
import { asksAboutPast } from '../gate/prompt-terms.ts';
import type { ExchangeRanking, TermScore } from './rank-exchanges.ts';

/** Words that count: a long prompt shares many with anything. */
const STRONGEST = 8;
/** The deduction by the logarithm of a prompt's length, for the same reason. */
const LENGTH = 2;
/** A prompt that asks about the past is worth an answer from it, and so is one that names a number that was spoken of: an issue, a change, a port. */
const PAST = 2.5;
const NUMBER = 2.5;
const SPOKEN_OF = 2;
/** Points from which an exchange is quoted; below, it must hold this many telling words and this share of all that the prompt tells. */
const LEAST = 2.5;
const COVERED_WORDS = 4;
const COVERED = 0.5;
/** The best of many exchanges shares more words with any prompt: beyond so many, each time the project grows by a factor of e asks for so many points more. */
const MANY = 100;
const GROWTH = 1.5;
/** Tokens for weak evidence, and what each further point adds up to the most. */
const ROOM = { least: 200, point: 30, most: 430 } as const;
/** A prompt of so many words is a plan or a report: it brings most of what it needs. */
const LONG_PROMPT = 80;
const LONG_PROMPT_ROOM = 230;
const WORDS_NAMED = 6;

const REFERS_BACK = /\b(?:again|decision|decided|design choice|prior|we (?:looked|last|had|made))\b/i;
/** As far as a prompt is read for such words: what is pasted comes later. */
const ASKED = 600;
/** Letters, small numbers and versions stand everywhere. */
const TINY = /^(?:.{1,2}|v\d+)$/;
const THREE_DIGITS = /^\d{3,}$/;

/** Words of any request tell a fifth, those of any software six tenths, others all. */
function shareOf(term: string): number {
  if (TINY.test(term)) return 0;
  return REQUEST_WORDS.has(term) ? 0.2 : EVERYDAY.has(term) ? 0.6 : 1;
}

export interface Strength {
  readonly points: number;
  readonly passes: boolean;
  /** Tokens that the evidence is worth. */
  readonly room: number;
  /** The words that say most. */
  readonly words: readonly string[];
}

/** How sure it is that an exchange is about what a prompt asks. */
export function strengthOf(
  evidence: readonly TermScore[],
  { text, terms }: { readonly text: string; readonly terms: readonly string[] },
  { rarity, exchanges }: Pick<ExchangeRanking, 'rarity' | 'exchanges'>,
): Strength {
  const weightOf = (some: readonly string[]): number => some.reduce((sum, term) => sum + rarity(term) * shareOf(term), 0);
  const weighted = evidence.map(({ term, score }) => ({ term, score: score * shareOf(term) })).toSorted((a, b) => b.score - a.score);
  const strongest = weighted.slice(0, STRONGEST);
  const points =
    strongest.reduce((sum, { score }) => sum + score, 0) -
    LENGTH * Math.log(1 + terms.length) +
    (asksAboutPast(text) || REFERS_BACK.test(text.slice(0, ASKED)) ? PAST : 0) +
    (evidence.some(({ term, score }) => score >= SPOKEN_OF && THREE_DIGITS.test(term)) ? NUMBER : 0);
  const held = evidence.map(({ term }) => term);
  const isCovered = held.filter((term) => shareOf(term) >= 0.6).length >= COVERED_WORDS && weightOf(held) >= COVERED * weightOf(terms);
  const least = LEAST + GROWTH * Math.log(Math.max(1, exchanges / MANY));
  return {
    points,
    passes: points >= least || isCovered,
    room: terms.length > LONG_PROMPT ? LONG_PROMPT_ROOM : Math.min(ROOM.most, ROOM.least + ROOM.point * Math.max(0, points - LEAST)),
    words: strongest.slice(0, WORDS_NAMED).map(({ term }) => term),
  };
}
