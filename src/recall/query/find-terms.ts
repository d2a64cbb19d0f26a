import { analyze } from '../text/analyze.ts';
import { type RecallIndex, isCut, type Postings } from '../port.ts';
import { prefixEnd, wordsBetween, termsFrom, termsLike } from './spelling.ts';
import { KIND_NUMBER, kindNumberOf } from '../chunks/split-text.ts';
import type { Term } from '../rank/terms.ts';
import type { Question } from './parse.ts';

/** Too many unrelated words share a shorter beginning. */
const SHORTEST_BASE = 5;
/** Letters that a related word may add: "friendship", "campground". */
const LONGEST_END = 6;
const MOST_RELATED = 4;
/** Endings that the stemmer does not remove: a question says "dancer" or "childhood", the text "dances" or "child". */
const ENDING = /^([a-z]{4,})(?:er|or|hood|ship|ist|ian|ition|iv|ival|eri|ion|dom|ag|al|ment)$/;

/** Terms related to a term: those that begin with it, and the one it was formed from. */
export async function relatedTerms(term: string, indexes: readonly RecallIndex[]): Promise<readonly string[]> {
  const base = term.replace(/[ei]$/, '');
  if (base.length < SHORTEST_BASE || !/^[a-z]+$/.test(base)) return [];
  const longer = (await wordsBetween(indexes, base, prefixEnd(base))).filter((word) => word.length <= base.length + LONGEST_END);
  const related = new Set(longer.toSorted((a, b) => a.length - b.length).flatMap(analyze));
  related.delete(term);
  const [, baseWord] = ENDING.exec(term) ?? [];
  return [...related].slice(0, MOST_RELATED).concat(baseWord === undefined ? [] : analyze(`${baseWord} ${baseWord}e`));
}

/** Postings fetched for every term. The full postings of more common terms follow, rarest first, while the total stays within `MOST_POSTINGS`. */
const FEW_POSTINGS = 1_000;
/** With many projects, each index gives fewer postings at first; `withCutPostings` then fetches the rest of what is affordable. */
const perTerm = (indexes: number): number => Math.max(50, Math.min(FEW_POSTINGS, Math.floor((4 * FEW_POSTINGS) / indexes)));
const MOST_POSTINGS = 16_000;
/** The rarest terms that are fetched in full however common they are. */
const FEWEST_TERMS = 2;
/** Weight of a term that stands in for a misspelt or half-typed word. */
const LIKELY = 0.7;
const MOST_PREFIXED = 8;
/** Weight of a speaker's name: nearly every message of a chat contains it. */
const NAME_SHARE = 0.5;
/** Weight of a related term: questions use other forms of a word than the chat did. */
const RELATED_SHARE = 0.3;

export interface QuestionTerms {
  readonly terms: readonly Term[];
  /** Words of the question that no index contains, with the terms searched in their place. */
  readonly meant: ReadonlyMap<string, readonly string[]>;
  /** Number of terms that no index contains and that have no replacement. */
  readonly unknown: number;
}

/**
 * The terms to search for, with their postings: the question's own, its joined words and prefixes, likely spellings of words that no index contains, and,
 * in chats, related terms.
 */
export async function findTerms(question: Question, indexes: readonly RecallIndex[], speakers: readonly (readonly string[])[]): Promise<QuestionTerms> {
  const names = new Set(speakers.flat().flatMap(analyze));
  const own = new Set(question.sequence);
  const shares = new Map([...own].map((term) => [term, names.has(term) ? NAME_SHARE : 1]));
  for (const term of question.joined) if (!shares.has(term)) shares.set(term, 1);
  for (const start of question.prefixes) for (const term of await termsFrom(start, indexes, MOST_PREFIXED)) if (!shares.has(term)) shares.set(term, LIKELY);
  const byTerm = await postingsOf(shares, indexes);
  const missing = [...own].filter((term) => byTerm.get(term)?.every(({ count }) => count === 0));
  const meant = await likelyTerms(question, missing, indexes);
  const likely = new Map(
    [...meant.values()]
      .flat()
      .filter((term) => !shares.has(term))
      .map((term) => [term, LIKELY]),
  );
  const all = new Map([...shares, ...likely]);
  // Ask again with all terms: an index that returns only the best matches ranks them by the whole query.
  const whole = likely.size === 0 ? byTerm : await postingsOf(all, indexes);
  const terms = [...all].map(([term, share]) => ({ term, share, postings: whole.get(term) ?? [] }));
  const related = await inChats(
    terms.filter(({ term }) => !names.has(term)),
    indexes.map((index, nth) => (speakers[nth]?.length ? index : undefined)),
  );
  return { terms: [...terms, ...related], meant, unknown: missing.length - meant.size };
}

/** Related terms in chats only: agents at work repeat a word exactly, so that its other forms would mislead there. */
async function inChats(terms: readonly Term[], indexes: readonly (RecallIndex | undefined)[]): Promise<readonly Term[]> {
  const chats = indexes.filter((index) => index !== undefined);
  if (chats.length === 0) return [];
  const related = new Set((await Promise.all(terms.map(async ({ term }) => relatedTerms(term, chats)))).flat());
  for (const { term } of terms) related.delete(term);
  const answers = await Promise.all(indexes.map(async (index) => index?.postings([...related], perTerm(chats.length))));
  return [...related].map((term, nth) => ({ term, share: RELATED_SHARE, isKin: true, postings: answers.map((answer) => chatPostings(answer?.[nth])) }));
}

function chatPostings(postings: Postings | undefined): Postings {
  const spoken = Float64Array.from(postings?.ids ?? []).filter((id) => kindNumberOf(id) === KIND_NUMBER.said);
  return { ids: spoken, count: spoken.length };
}

async function postingsOf(shares: ReadonlyMap<string, number>, indexes: readonly RecallIndex[]): Promise<Map<string, readonly Postings[]>> {
  const terms = [...shares.keys()];
  const answers = await Promise.all(indexes.map(async (index) => index.postings(terms, perTerm(indexes.length))));
  const byTerm = new Map<string, readonly Postings[]>(terms.map((term, nth) => [term, answers.map((answer) => answer[nth] as Postings)]));
  return complete(byTerm, indexes);
}

const countOf = (postings: readonly Postings[]): number => postings.reduce((sum, { count }) => sum + count, 0);

/** Fetches the full postings of cut terms, rarest first, within `MOST_POSTINGS`. */
async function complete(byTerm: Map<string, readonly Postings[]>, indexes: readonly RecallIndex[]): Promise<Map<string, readonly Postings[]>> {
  const byCount = [...byTerm].map(([term, postings]) => ({ term, postings, count: countOf(postings) })).toSorted((a, b) => a.count - b.count);
  let remaining = MOST_POSTINGS;
  const cutTerms: string[] = [];
  for (const [nth, { term, postings, count }] of byCount.filter((one) => one.count > 0).entries()) {
    remaining -= count;
    if (postings.some(isCut) && (remaining >= 0 || nth < FEWEST_TERMS)) cutTerms.push(term);
  }
  if (cutTerms.length === 0) return byTerm;
  const answers = await Promise.all(indexes.map(async (index) => index.postings(cutTerms, MOST_POSTINGS)));
  for (const [nth, term] of cutTerms.entries())
    byTerm.set(
      term,
      answers.map((answer) => answer[nth] as Postings),
    );
  return byTerm;
}

/** Compares words as typed, because a misspelt word has the wrong stem. */
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
