import { analyze } from '../text/analyze.ts';
import { maxTermWeight } from './common-words.ts';
import type { RankedRecords } from './port.ts';
import { GATE } from './weights.ts';

/** A run of letters, digits and the marks that join them in names, paths and codes. */
const RUN = /[A-Za-z_$][\w$]*(?:[./-][\w$]+)*/g;

const isIdentifier = (word: string): boolean =>
  /[a-z][A-Z]|_[A-Za-z]|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{2,}[a-z]/.test(word) || /^[\w$.-]+(?:\/[\w$.-]+)+$/.test(word) || /^[\w-]+\.[a-z]{1,5}$/.test(word);

/** Shorter ones are met by chance. */
const SHORTEST = 4;

/** The identifiers, paths and codes of a text as they were written, by the letters and digits they are made of. */
export function identifiersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(RUN)) {
    const joined = word.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (joined.length >= SHORTEST && isIdentifier(word)) found.set(joined, word);
  }
  return found;
}

/** A term of the prompt and how much it tells, from 0 to 1. */
export interface PromptTerm {
  readonly term: string;
  readonly weight: number;
}

/** What a prompt has to go by. */
export interface PromptTerms {
  readonly terms: readonly PromptTerm[];
  /** The same, by term. */
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
  /** Telling terms of words that follow each other. */
  readonly pairs: readonly (readonly [string, string])[];
  readonly identifiers: readonly (PromptTerm & { readonly joined: string })[];
  readonly past: boolean;
}

const PAST =
  /\b(?:remember|recall|last (?:time|week|month|session)|previous(?:ly)?|earlier|(?:did|have|had|do|are) we (?:ever |already )?(?:\w+)|we (?:chose|decided|agreed|picked|settled|tried|used|said|discussed)|what was (?:the|our)|why did we)\b/i;
/** Whether a prompt asks what was decided or done before. */
export const asksAboutPast = (text: string): boolean => PAST.test(text);

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

type Telling = (term: string) => number;

/** What each term of a text tells: little for words that every project has, and less the more of this memory holds it. */
export function promptTerms(text: string, { total, counts }: Pick<RankedRecords, 'total' | 'counts'>): PromptTerms {
  const rarity: Telling = (term) => Math.max(0, 1 - Math.sqrt((counts.get(term) ?? 0) / (total + GATE.unseen) / GATE.commonShare));
  const weights = new Map<string, number>();
  const pairs: (readonly [string, string])[] = [];
  let before: readonly PromptTerm[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const terms = termsOf(word, rarity);
    if (terms.length === 0) continue;
    for (const { term, weight } of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    const [last, first] = [before.at(-1), terms[0] as PromptTerm];
    if (last !== undefined && last.weight >= GATE.telling && first.weight >= GATE.telling) pairs.push([last.term, first.term]);
    before = terms;
  }
  const terms = [...weights].map(([term, weight]) => ({ term, weight })).filter(({ weight }) => weight > 0);
  return {
    terms,
    weights: new Map(terms.map(({ term, weight }) => [term, weight])),
    total: terms.reduce((sum, { weight }) => sum + weight, 0),
    pairs,
    identifiers: [...identifiersIn(text)].map(([joined, word]) => ({
      joined,
      term: word,
      weight: Math.min(maxTermWeight(joined), strongest(analyze(word), rarity)),
    })),
    past: asksAboutPast(text),
  };
}

const strongest = (terms: readonly string[], rarity: Telling): number => Math.max(0, ...terms.map((term) => maxTermWeight(term) * rarity(term)));

/** The terms of one word. The parts of an identifier tell together no more than one word does. */
function termsOf(word: string, rarity: Telling): readonly PromptTerm[] {
  const found = analyze(word);
  const weighed = found.map((term) => ({ term, weight: maxTermWeight(term) * rarity(term) }));
  const whole = weighed.at(-1);
  if (weighed.length < 2 || whole === undefined || !/^[\x00-\x7f]*$/.test(word)) return weighed;
  const parts = weighed.slice(0, -1);
  const [sum, most] = [parts.reduce((all, { weight }) => all + weight, 0), maxTermWeight(whole.term)];
  return sum <= most ? parts : parts.map(({ term, weight }) => ({ term, weight: (weight * most) / sum }));
}
