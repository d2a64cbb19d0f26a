import { analyze } from '../analyze.ts';
import type { Postings, RecallIndex } from '../port.ts';
import type { Term } from '../rank/terms.ts';
import type { Question } from './parse.ts';
import { termsFrom, termsLike } from './spelling.ts';

/** Postings of a term are cut here: a term this common tells little. */
const MOST_POSTINGS = 30_000;
/** Share of a word that is only likely to be meant. */
const LIKELY = 0.7;
const MOST_PREFIXED = 8;
/** A speaker's name is in every message of a chat in one way or another. */
const NAME_SHARE = 0.5;

export interface FoundTerms {
  readonly terms: readonly Term[];
  /** Words of the question that nothing holds, with the terms taken for them. */
  readonly meant: ReadonlyMap<string, readonly string[]>;
  /** Terms that nothing holds and nothing is taken for. */
  readonly unknown: number;
}

/** The question's terms with their postings: those it has, those its words join to or begin, and for words that nothing holds those they may stand for. */
export async function findTerms(question: Question, indexes: readonly RecallIndex[], speakers: readonly string[]): Promise<FoundTerms> {
  const names = new Set(speakers.flatMap(analyze));
  const asked = new Set(question.sequence);
  const shares = new Map([...asked].map((term) => [term, names.has(term) ? NAME_SHARE : 1]));
  for (const term of question.joined) if (!shares.has(term)) shares.set(term, 1);
  for (const start of question.prefixes) for (const term of await termsFrom(start, indexes, MOST_PREFIXED)) if (!shares.has(term)) shares.set(term, LIKELY);
  const found = await lookUp(shares, indexes);
  const missing = [...asked].filter((term) => found.get(term)?.every(({ count }) => count === 0));
  const meant = await likelyTerms(question, missing, indexes);
  const likely = new Map(
    [...meant.values()]
      .flat()
      .filter((term) => !shares.has(term))
      .map((term) => [term, LIKELY]),
  );
  const more = await lookUp(likely, indexes);
  const terms = [...shares, ...likely].map(([term, share]) => ({ term, share, postings: found.get(term) ?? more.get(term) ?? [] }));
  return { terms, meant, unknown: missing.length - meant.size };
}

async function lookUp(shares: ReadonlyMap<string, number>, indexes: readonly RecallIndex[]): Promise<Map<string, Postings[]>> {
  const terms = [...shares.keys()];
  const answers = await Promise.all(indexes.map(async (index) => index.postings(terms, MOST_POSTINGS)));
  return new Map(terms.map((term, nth) => [term, answers.map((answer) => answer[nth] as Postings)]));
}

/** Words are compared as they were typed, since a misspelt word has no right stem. */
async function likelyTerms(question: Question, missing: readonly string[], indexes: readonly RecallIndex[]): Promise<Map<string, readonly string[]>> {
  const meant = new Map<string, readonly string[]>();
  if (missing.length === 0) return meant;
  for (const word of new Set(question.text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])) {
    if (!analyze(word).some((term) => missing.includes(term))) continue;
    const likely = await termsLike(word, indexes);
    if (likely.length > 0) meant.set(word, likely);
  }
  return meant;
}
