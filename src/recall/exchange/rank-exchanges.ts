import { kindNumberOf, KIND_NUMBER, unitOf } from '../chunks/split-text.ts';
import type { Postings } from '../port.ts';
import type { ExchangeIndex, Outline, OutlineSession } from './port.ts';

/** What counts for an exchange, each as a share of the best: its own words, its best chunk, its whole session, and how new it is. */
const WEIGHTS = { exchange: 1, chunk: 0.3, session: 0.2, recency: 0.4 } as const;
/** Sessions after which being new counts half. */
const RECENT_SESSIONS = 8;
const K1 = 0.9;
const B = 0.4;
/** Matches that a prompt may look through: its commonest words would cost nearly all of the time and tell the least. */
const MOST_MATCHES = 20_000;
const RAREST = 3;
/** Matches of one word that are looked at, the newest first. */
const MOST_OF_A_TERM = 4_000;

export interface TermScore {
  readonly term: string;
  readonly score: number;
}

export interface RankedExchange {
  readonly first: number;
  /** The first chunk after it. */
  readonly next: number;
  readonly session: OutlineSession;
  /** As a share of what the best possible exchange would get. */
  readonly score: number;
  /** What each word of the prompt adds to it, most first. */
  readonly evidence: readonly TermScore[];
}

export interface ExchangeRanking {
  readonly ranked: readonly RankedExchange[];
  /** How much a term tells in this project: the rarer, the more. */
  readonly rarity: (term: string) => number;
}

interface Matched {
  readonly term: string;
  readonly ids: ArrayLike<number>;
}

/** The exchanges of a project that are nearest to the terms of a prompt. */
export async function rankExchanges(index: ExchangeIndex, terms: readonly string[], limit: number, except?: string): Promise<ExchangeRanking> {
  const [outline, postings] = [await index.outline(), await index.postings(terms, MOST_OF_A_TERM)];
  const matched = affordable(terms, postings);
  const exchanges = tallied(outline, matched);
  const holders = new Map<string, number>();
  for (const { counts } of exchanges.values())
    for (const nth of counts.keys()) {
      const { term } = matched[nth] as Matched;
      holders.set(term, (holders.get(term) ?? 0) + 1);
    }
  const rarity = (term: string): number => rarityOf(holders.get(term) ?? 0, outline.firsts.length);
  return { ranked: new Scoring(outline, matched, exchanges, rarity).best(limit, except), rarity };
}

const rarityOf = (count: number, all: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5));

/** The rarest terms, as many as can be afforded. */
function affordable(terms: readonly string[], postings: readonly Postings[]): readonly { readonly term: string; readonly ids: ArrayLike<number> }[] {
  let matches = 0;
  return terms
    .map((term, nth) => ({ term, ids: postings[nth]?.ids ?? [] }))
    .filter(({ ids }) => ids.length > 0)
    .toSorted((a, b) => a.ids.length - b.ids.length)
    .filter(({ ids }, nth) => (matches += ids.length) <= MOST_MATCHES || nth < RAREST);
}

/** What an exchange or a session holds of the prompt. */
class Tally {
  /** How many of its chunks hold each of the terms, by their place among the matched. */
  readonly counts = new Map<number, number>();
  /** The terms that each of its chunks holds. */
  readonly #chunks = new Map<number, number[]>();

  add(term: number, chunk: number): void {
    this.counts.set(term, (this.counts.get(term) ?? 0) + 1);
    if (this.#chunks.get(chunk)?.push(term) === undefined) this.#chunks.set(chunk, [term]);
  }

  join(other: Tally): void {
    for (const [term, count] of other.counts) this.counts.set(term, (this.counts.get(term) ?? 0) + count);
  }

  /** BM25, by chunks that hold a term instead of its occurrences; the length as a share of the average. */
  termScore(term: number, rarity: number, length: number): number {
    const count = this.counts.get(term) ?? 0;
    return (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
  }

  score(rarities: readonly number[], length: number): number {
    let sum = 0;
    for (const term of this.counts.keys()) sum += this.termScore(term, rarities[term] ?? 0, length);
    return sum;
  }

  bestChunk(rarities: readonly number[]): number {
    let most = 0;
    for (const terms of this.#chunks.values()) {
      let sum = 0;
      for (const term of terms) sum += rarities[term] ?? 0;
      if (sum > most) most = sum;
    }
    return most;
  }
}

/** What each exchange holds of the prompt, by its place in the outline; commands and code do not count. */
function tallied({ firsts }: Outline, matched: readonly Matched[]): ReadonlyMap<number, Tally> {
  const exchanges = new Map<number, Tally>();
  for (const [nth, { ids }] of matched.entries()) {
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number;
      if (kindNumberOf(id) > KIND_NUMBER.said) continue;
      const place = placeOf(firsts, id);
      if (place >= 0 && unitOf(firsts[place] as number) === unitOf(id)) tallyOf(exchanges, place).add(nth, id);
    }
  }
  return exchanges;
}

class Scoring {
  readonly #outline: Outline;
  readonly #matched: readonly Matched[];
  readonly #exchanges: ReadonlyMap<number, Tally>;
  readonly #rarities: readonly number[];
  readonly #averageTerms: number;

  constructor(outline: Outline, matched: readonly Matched[], exchanges: ReadonlyMap<number, Tally>, rarity: (term: string) => number) {
    this.#outline = outline;
    this.#matched = matched;
    this.#exchanges = exchanges;
    this.#rarities = matched.map(({ term }) => rarity(term));
    this.#averageTerms = meanOf(outline.terms);
  }

  best(limit: number, except: string | undefined): readonly RankedExchange[] {
    const { firsts, sessions } = this.#outline;
    const own = new Map([...this.#exchanges].map(([place, tally]) => [place, tally.score(this.#rarities, this.#lengthOf(place))]));
    const chunk = new Map([...this.#exchanges].map(([place, tally]) => [place, tally.bestChunk(this.#rarities)]));
    const unit = this.#unitScores();
    const [most, mostChunk, mostUnit] = [largest(own), largest(chunk), largest(unit)];
    const ranked = [...own].flatMap(([place, points]) => {
      const number = unitOf(firsts[place] as number);
      const session = sessions.get(number);
      if (session === undefined || session.id === except) return [];
      const score =
        (WEIGHTS.exchange * points) / most +
        (WEIGHTS.chunk * (chunk.get(place) ?? 0)) / mostChunk +
        (WEIGHTS.session * (unit.get(number) ?? 0)) / mostUnit +
        WEIGHTS.recency / (1 + session.newer / RECENT_SESSIONS);
      return [{ place, session, score }];
    });
    return ranked
      .toSorted((a, b) => b.score - a.score || b.place - a.place)
      .slice(0, limit)
      .map(({ place, session, score }) => ({
        first: firsts[place] as number,
        next: firsts[place + 1] ?? Number.MAX_SAFE_INTEGER,
        session,
        score,
        evidence: this.#evidence(place),
      }));
  }

  #lengthOf(place: number): number {
    return (this.#outline.terms[place] as number) / this.#averageTerms;
  }

  #unitScores(): ReadonlyMap<number, number> {
    const { firsts, terms } = this.#outline;
    const [tallies, sizes] = [new Map<number, Tally>(), new Map<number, number>()];
    for (let place = 0; place < firsts.length; place++) {
      const number = unitOf(firsts[place] as number);
      sizes.set(number, (sizes.get(number) ?? 0) + (terms[place] as number));
    }
    for (const [place, tally] of this.#exchanges) tallyOf(tallies, unitOf(firsts[place] as number)).join(tally);
    const average = meanOf([...sizes.values()]);
    return new Map([...tallies].map(([number, tally]) => [number, tally.score(this.#rarities, (sizes.get(number) ?? 0) / average)]));
  }

  #evidence(place: number): readonly TermScore[] {
    const tally = this.#exchanges.get(place) as Tally;
    return this.#matched
      .map(({ term }, nth) => ({ term, score: tally.termScore(nth, this.#rarities[nth] ?? 0, this.#lengthOf(place)) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  }
}

function tallyOf(tallies: Map<number, Tally>, key: number): Tally {
  let tally = tallies.get(key);
  if (tally === undefined) tallies.set(key, (tally = new Tally()));
  return tally;
}

/** The last exchange that begins at or before a chunk; -1 where none does. */
function placeOf(firsts: ArrayLike<number>, id: number): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] as number) <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] as number;
  return sum / Math.max(1, values.length);
}

function largest(values: ReadonlyMap<number, number>): number {
  let most = Number.MIN_VALUE;
  for (const value of values.values()) if (value > most) most = value;
  return most;
}
