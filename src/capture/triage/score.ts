import type { Passage, Sentence } from './prose.ts';
import { saying, type Sign } from './words.ts';

/** One reason for or against a match. The weights of all reasons sum to its score. */
export interface SignalPart {
  readonly why: string;
  readonly weight: number;
}

export interface TriageMatch {
  readonly passage: Passage;
  readonly sentence: Sentence;
  /** Neighbouring sentences that contributed, such as the reason after a choice. */
  readonly beside: readonly Sentence[];
  readonly parts: readonly SignalPart[];
  readonly score: number;
}

const CAP = 'no score is above 1';
const round = (value: number): number => Math.round(value * 1000) / 1000;

export function signIn(text: string, signs: readonly Sign[]): SignalPart | undefined {
  for (const [why, weight, pattern] of signs) {
    const match = pattern.exec(text);
    if (match) return { why: `${why}: ${match[0].trim().toLowerCase()}`, weight };
  }
  return undefined;
}

/** A match with a score up to 1; undefined if its parts do not sum to more than 0. */
export function matchOf(
  passage: Passage,
  sentence: Sentence,
  parts: readonly (SignalPart | undefined)[],
  beside: readonly Sentence[] = [],
): TriageMatch | undefined {
  const present = parts.filter((part) => part !== undefined);
  const sum = round(present.reduce((total, part) => total + part.weight, 0));
  if (sum <= 0) return undefined;
  const all = sum > 1 ? [...present, { why: CAP, weight: round(1 - sum) }] : present;
  return { passage, sentence, beside, parts: all, score: Math.min(1, sum) };
}

/** The match with one more part. */
export function withPart(match: TriageMatch, part: SignalPart): TriageMatch | undefined {
  const parts = match.parts.filter((known) => known.why !== CAP);
  return matchOf(match.passage, match.sentence, [...parts, part], match.beside);
}

const CONSIDERED = saying(
  'could|might|maybe|perhaps|what (?:would|happens)|what if|shall i|should i|do you want|let me think',
  `would(?:n't)? (?:it|you|we|that|be)|if you(?:'d)? (?:want|prefer|like)|consider(?:ing)? (?:using|whether)`,
  String.raw`if (?:we|i|you|they) (?:chose|used|decided|went|were|switch\w*|pick\w*|had|kept)`,
  `i(?:'m| am) (?:not sure|wondering|thinking|weighing)`,
);
const UNSETTLED = saying(
  String.raw`(?:not|n't|never) (?:yet )?(?:decid|chos|choos|agree|settl)\w*|undecided|before (?:we )?decid\w+|whether (?:to|we)|never said`,
);
/** An agent's report that it saved something to memory. */
const ABOUT_MEMORY = /\b(?:saved|stored|recorded|remembered|captured|logged)\b.{0,60}\b(?:memory|memories|record|holdfast)\b/i;

/** Reasons against a sentence of any category. */
export function doubts(sentence: Sentence): (SignalPart | undefined)[] {
  return [
    sentence.asks ? { why: 'it is a question', weight: -0.3 } : undefined,
    CONSIDERED.test(sentence.plain) ? { why: 'it is only considered', weight: -0.25 } : undefined,
    UNSETTLED.test(sentence.plain) ? { why: 'nothing was settled', weight: -0.5 } : undefined,
    ABOUT_MEMORY.test(sentence.plain) ? { why: 'it tells of a memory already kept', weight: -0.8 } : undefined,
  ];
}

/** The sentence before and the two after a sentence. */
export const nearby = (passage: Passage, at: number): Sentence[] =>
  [at - 1, at + 1, at + 2].map((index) => passage.sentences[index]).filter((sentence) => sentence !== undefined);
