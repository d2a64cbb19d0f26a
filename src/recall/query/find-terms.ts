import { analyze } from '../text/analyze.ts';
import { type RecallIndex, isCut, type Postings } from '../port.ts';
import { prefixEnd, wordsBetween, termsFrom, termsLike } from './spelling.ts';
import { KIND_NUMBER, kindNumberOf } from '../chunks/split-text.ts';
import type { Term } from '../rank/terms.ts';
import type { Question } from './parse.ts';

/** Shorter beginnings are those of too many other words. */
const SHORTEST = 5;
/** Letters by which a word of the same family is longer: "friendship", "campground". */
const LONGEST_END = 6;
const MOST = 4;
/** Endings that the stemmer leaves, as it leaves stems: "dancer" is asked of one who dances, "childhood" of a child. */
const ENDING = /^([a-z]{4,})(?:er|or|hood|ship|ist|ian|ition|iv|ival|eri|ion|dom|ag|al|ment)$/;

/** Terms of the same family of words as a term: what begins with it, and what it was made from. */
export async function relatedTerms(term: string, indexes: readonly RecallIndex[]): Promise<readonly string[]> {
  const base = term.replace(/[ei]$/, '');
  if (base.length < SHORTEST || !/^[a-z]+$/.test(base)) return [];
  const longer = (await wordsBetween(indexes, base, prefixEnd(base))).filter((word) => word.length <= base.length + LONGEST_END);
  const kin = new Set(longer.toSorted((a, b) => a.length - b.length).flatMap(analyze));
  kin.delete(term);
  const [, made] = ENDING.exec(term) ?? [];
  return [...kin].slice(0, MOST).concat(made === undefined ? [] : analyze(`${made} ${made}e`));
}

/** Every term may have so many postings; those of more common terms are fetched, the rarest first, while all together are no more than `MOST_POSTINGS`. */
const FEW_POSTINGS = 1_000;
/** In a home of many projects each gives less at first: what is affordable as a whole is fetched in full afterwards. */
const fewOf = (indexes: number): number => Math.max(50, Math.min(FEW_POSTINGS, Math.floor((4 * FEW_POSTINGS) / indexes)));
const MOST_POSTINGS = 16_000;
/** However common, the rarest are fetched up to here. */
const FEWEST_TERMS = 2;
/** Share of a word that is only likely to be meant. */
const LIKELY = 0.7;
const MOST_PREFIXED = 8;
/** A speaker's name is in every message of a chat in one way or another. */
const NAME_SHARE = 0.5;
/** Share of a word of the same family: people ask in other forms than they spoke in. */
const KIN_SHARE = 0.3;

export interface FoundTerms {
  readonly terms: readonly Term[];
  /** Words of the question that nothing holds, with the terms taken for them. */
  readonly meant: ReadonlyMap<string, readonly string[]>;
  /** Terms that nothing holds and nothing is taken for. */
  readonly unknown: number;
}

/**
 * The question's terms with their postings: those it has, those its words join to or begin, and for words that nothing holds those they may stand for;
 * where people talk also those akin to them.
 */
export async function findTerms(question: Question, indexes: readonly RecallIndex[], speakers: readonly (readonly string[])[]): Promise<FoundTerms> {
  const names = new Set(speakers.flat().flatMap(analyze));
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
  const all = new Map([...shares, ...likely]);
  // Again with the others: an index that gives the best only has to see what is asked as a whole.
  const whole = likely.size === 0 ? found : await lookUp(all, indexes);
  const terms = [...all].map(([term, share]) => ({ term, share, postings: whole.get(term) ?? [] }));
  const kin = await akinTo(
    terms.filter(({ term }) => !names.has(term)),
    indexes.map((index, nth) => (speakers[nth]?.length ? index : undefined)),
  );
  return { terms: [...terms, ...kin], meant, unknown: missing.length - meant.size };
}

/** Terms akin to those asked for, in what was said: agents at work repeat a word as it is, and there its other forms only mislead. */
async function akinTo(terms: readonly Term[], talks: readonly (RecallIndex | undefined)[]): Promise<readonly Term[]> {
  const searched = talks.filter((index) => index !== undefined);
  if (searched.length === 0) return [];
  const kin = new Set((await Promise.all(terms.map(async ({ term }) => relatedTerms(term, searched)))).flat());
  for (const { term } of terms) kin.delete(term);
  const answers = await Promise.all(talks.map(async (index) => index?.postings([...kin], fewOf(searched.length))));
  return [...kin].map((term, nth) => ({ term, share: KIN_SHARE, isKin: true, postings: answers.map((answer) => saidIn(answer?.[nth])) }));
}

function saidIn(postings: Postings | undefined): Postings {
  const spoken = Float64Array.from(postings?.ids ?? []).filter((id) => kindNumberOf(id) === KIND_NUMBER.said);
  return { ids: spoken, count: spoken.length };
}

async function lookUp(shares: ReadonlyMap<string, number>, indexes: readonly RecallIndex[]): Promise<Map<string, readonly Postings[]>> {
  const terms = [...shares.keys()];
  const answers = await Promise.all(indexes.map(async (index) => index.postings(terms, fewOf(indexes.length))));
  const found = new Map<string, readonly Postings[]>(terms.map((term, nth) => [term, answers.map((answer) => answer[nth] as Postings)]));
  return completed(found, indexes);
}

const countOf = (postings: readonly Postings[]): number => postings.reduce((sum, { count }) => sum + count, 0);

/** Fetches in full what was cut and can be afforded. */
async function completed(found: Map<string, readonly Postings[]>, indexes: readonly RecallIndex[]): Promise<Map<string, readonly Postings[]>> {
  const byCount = [...found].map(([term, postings]) => ({ term, postings, count: countOf(postings) })).toSorted((a, b) => a.count - b.count);
  let room = MOST_POSTINGS;
  const wanted: string[] = [];
  for (const [nth, { term, postings, count }] of byCount.filter((one) => one.count > 0).entries()) {
    room -= count;
    if (postings.some(isCut) && (room >= 0 || nth < FEWEST_TERMS)) wanted.push(term);
  }
  if (wanted.length === 0) return found;
  const answers = await Promise.all(indexes.map(async (index) => index.postings(wanted, MOST_POSTINGS)));
  for (const [nth, term] of wanted.entries())
    found.set(
      term,
      answers.map((answer) => answer[nth] as Postings),
    );
  return found;
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
