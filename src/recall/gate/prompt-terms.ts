import { analyze, wordRuns } from '../text/analyze.ts';
import { termWeight } from './term-weight.ts';
import type { RankedRecords } from './port.ts';
import { GATE } from './weights.ts';

/** A term of the prompt and its weight, from 0 to 1. */
export interface PromptTerm {
  readonly term: string;
  /** The word of the prompt that it comes from, as it is typed there. */
  readonly word: string;
  readonly weight: number;
}

/** The terms of a prompt. */
export interface PromptTerms {
  readonly terms: readonly PromptTerm[];
  /** The same, by term. */
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
  readonly past: boolean;
}

const PAST =
  /\b(?:remember|recall|last (?:time|week|month|session)|previous(?:ly)?|earlier|(?:did|have|had|do|are) we (?:ever |already )?(?:\w+)|we (?:chose|decided|agreed|picked|settled|tried|used|said|discussed)|what was (?:the|our)|why did we)\b/i;
/** Whether a prompt asks what was decided or done before. */
export const asksAboutPast = (text: string): boolean => PAST.test(text);

/** A path or a file name. Tried only where a run of its letters begins: a long run without a slash would otherwise take quadratic time. */
const PATH = /(?<![\w@.-])(?:[\w@.-]+\/)+[\w@.-]*|(?<![\w-])[\w-]+\.[a-z]{1,5}\b/g;

type TermRarity = (term: string) => number;

/** Weighs each term of a text: less for words that every project has, less the more records of this memory contain it, and half in a path. */
export function promptTerms(text: string, { total, counts }: Pick<RankedRecords, 'total' | 'counts'>): PromptTerms {
  const rarity: TermRarity = (term) => Math.max(0, 1 - Math.sqrt((counts.get(term) ?? 0) / (total + GATE.unseen) / GATE.commonShare));
  const weights = new Map<string, Omit<PromptTerm, 'term'>>();
  const weigh = (run: string, share: number): void => {
    for (const word of wordRuns(run))
      for (const { term, weight } of termsOf(word, rarity)) {
        const known = weights.get(term);
        weights.set(term, { word: known?.word ?? word, weight: Math.max(share * weight, known?.weight ?? 0) });
      }
  };
  let from = 0;
  for (const { 0: path, index } of text.matchAll(PATH)) {
    weigh(text.slice(from, index), 1);
    weigh(path, GATE.inPath);
    from = index + path.length;
  }
  weigh(text.slice(from), 1);
  const terms = [...weights].map(([term, weighted]) => ({ term, ...weighted })).filter(({ weight }) => weight > 0);
  return {
    terms,
    weights: new Map(terms.map(({ term, weight }) => [term, weight])),
    total: terms.reduce((sum, { weight }) => sum + weight, 0),
    past: asksAboutPast(text),
  };
}

/** The terms of one word. The parts of an identifier together weigh no more than one word. */
function termsOf(word: string, rarity: TermRarity): readonly Omit<PromptTerm, 'word'>[] {
  const terms = analyze(word);
  const weighted = terms.map((term) => ({ term, weight: termWeight(term) * rarity(term) }));
  const whole = weighted.at(-1);
  if (weighted.length < 2 || whole === undefined || !/^[\x00-\x7f]*$/.test(word)) return weighted;
  const parts = weighted.slice(0, -1);
  const [sum, most] = [parts.reduce((all, { weight }) => all + weight, 0), termWeight(whole.term)];
  return sum <= most ? parts : parts.map(({ term, weight }) => ({ term, weight: (weight * most) / sum }));
}
