import { EVERYDAY, REQUEST_WORDS } from './common-words.ts';
import { asksAboutPast } from '../gate/prompt-terms.ts';
import type { ExchangeRanking, TermScore } from './rank-exchanges.ts';

/** Words that count: a long prompt shares many words with any exchange. */
const STRONGEST = 8;
/** Deducted times the logarithm of the prompt's length, for the same reason. */
const DEDUCTION = 2;
/** Points for a prompt that asks about the past, and for one that names a number from the exchange: an issue, a change, a port. */
const PAST = 2.5;
const NAMED_NUMBER = 2.5;
const SPOKEN_OF = 2;
/** Points from which an exchange is quoted; below, it must contain this many telling words and this share of the prompt's weight. */
const LEAST = 2.5;
const COVERED_WORDS = 4;
const COVERED = 0.5;
/** The best of many exchanges shares more words with any prompt: beyond `MANY`, the required points grow by `GROWTH` times the logarithm of the growth. */
const MANY = 100;
const GROWTH = 1.5;
/** Tokens for weak evidence, tokens that each further point adds, and the limit. */
const ROOM = { least: 200, point: 30, most: 430 } as const;
/** A prompt of so many words is a plan or a report that contains most of what it needs. */
const LONG_PROMPT = 80;
const LONG_PROMPT_ROOM = 230;
const WORDS_NAMED = 6;

const REFERS_BACK = /\b(?:again|decision|decided|design choice|prior|we (?:looked|last|had|made))\b/i;
/** Characters of a prompt that are searched for such words: pasted text comes later. */
const LOOKED_AT = 600;
/** Letters, small numbers and versions occur everywhere. */
const TINY = /^(?:.{1,2}|v\d+)$/;
const THREE_DIGITS = /^\d{3,}$/;

/** Words of any request count a fifth, words of any software six tenths, others fully. */
function shareOf(term: string): number {
  if (TINY.test(term)) return 0;
  return REQUEST_WORDS.has(term) ? 0.2 : EVERYDAY.has(term) ? 0.6 : 1;
}

export interface Strength {
  readonly points: number;
  readonly passes: boolean;
  /** Tokens that a quotation may take. */
  readonly room: number;
  /** The strongest words. */
  readonly words: readonly string[];
}

/** How likely an exchange is about the topic of a prompt. */
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
    DEDUCTION * Math.log(1 + terms.length) +
    (asksAboutPast(text) || REFERS_BACK.test(text.slice(0, LOOKED_AT)) ? PAST : 0) +
    (evidence.some(({ term, score }) => score >= SPOKEN_OF && THREE_DIGITS.test(term)) ? NAMED_NUMBER : 0);
  const matchedTerms = evidence.map(({ term }) => term);
  const isCovered = matchedTerms.filter((term) => shareOf(term) >= 0.6).length >= COVERED_WORDS && weightOf(matchedTerms) >= COVERED * weightOf(terms);
  const least = LEAST + GROWTH * Math.log(Math.max(1, exchanges / MANY));
  return {
    points,
    passes: points >= least || isCovered,
    room: terms.length > LONG_PROMPT ? LONG_PROMPT_ROOM : Math.min(ROOM.most, ROOM.least + ROOM.point * Math.max(0, points - LEAST)),
    words: strongest.slice(0, WORDS_NAMED).map(({ term }) => term),
  };
}
