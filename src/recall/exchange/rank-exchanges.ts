import { kindNumberOf, KIND_NUMBER, unitOf } from '../chunks/split-text.ts';
import type { Postings } from '../port.ts';
import type { ExchangeIndex, Outline, OutlineSession } from './port.ts';

/** Weights of an exchange's own words, its best chunk, its whole session and its recency, each measured as a share of the best. */
const WEIGHTS = { exchange: 1, chunk: 0.3, mostChunk: 1, session: 0.2, recency: 0.4 } as const;
/** Among many exchanges, long ones share words with any prompt by chance, single passages rarely: beyond this number, the best chunk counts more. */
const MANY = 200;
/** Newer sessions after which the recency counts half. */
const RECENT_SESSIONS = 8;
const K1 = 0.9;
const B = 0.4;
/** The most matches for one prompt: its commonest words would take nearly all the time and say the least. */
const MOST_MATCHES = 20_000;
const RAREST = 3;
/** The most matches of one term, newest first. */
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
  /** As a share of the score of the best possible exchange. */
  readonly score: number;
  /** The score that each term of the prompt adds, largest first. */
  readonly evidence: readonly TermScore[];
}

export interface ExchangeRanking {
  readonly ranked: readonly RankedExchange[];
  /** Number of exchanges in the project. */
  readonly exchanges: number;
  /** The weight of a term in this project: the rarer, the higher. */
  readonly rarity: (term: string) => number;
}

/** The chunks of prose that contain a term, by ascending number, and the place of each one's exchange in the outline. */
interface MatchedTerm {
  readonly term: string;
  readonly chunks: ArrayLike<number>;
  readonly places: ArrayLike<number>;
  /** Number of exchanges that contain it. */
  readonly holders: number;
}

/** The exchanges of a project that best match the terms of a prompt. */
export async function rankExchanges(
  index: ExchangeIndex,
  terms: readonly string[],
  limit: number,
  except?: string,
  newest = MOST_OF_A_TERM,
): Promise<ExchangeRanking> {
  const [outline, postings] = [await index.outline(), await index.postings(terms, newest)];
  const matched = affordable(terms, postings).map(({ term, ids }) => locateTerm(outline, term, ids));
  const holders = new Map(matched.map((one) => [one.term, one.holders]));
  const rarity = (term: string): number => rarityOf(holders.get(term) ?? 0, outline.firsts.length);
  return { ranked: bestExchanges(outline, matched, rarity, limit, except), exchanges: outline.firsts.length, rarity };
}

const rarityOf = (count: number, all: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5));

/** The rarest terms, within `MOST_MATCHES`. */
function affordable(terms: readonly string[], postings: readonly Postings[]): readonly { readonly term: string; readonly ids: ArrayLike<number> }[] {
  let matches = 0;
  return terms
    .map((term, nth) => ({ term, ids: postings[nth]?.ids ?? [] }))
    .filter(({ ids }) => ids.length > 0)
    .toSorted((a, b) => a.ids.length - b.ids.length)
    .filter(({ ids }, nth) => (matches += ids.length) <= MOST_MATCHES || nth < RAREST);
}

/** Finds the exchange of each chunk; commands and code do not count. */
function locateTerm({ firsts }: Outline, term: string, ids: ArrayLike<number>): MatchedTerm {
  const [chunks, places] = [new Float64Array(ids.length), new Int32Array(ids.length)];
  let [size, place, holders, last] = [0, -1, 0, -1];
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number;
    if (kindNumberOf(id) > KIND_NUMBER.said) continue;
    place = placeOf(firsts, id, Math.max(0, place));
    if (place < 0 || unitOf(firsts[place] as number) !== unitOf(id)) continue;
    chunks[size] = id;
    places[size++] = place;
    if (place !== last) holders++;
    last = place;
  }
  return { term, chunks: chunks.subarray(0, size), places: places.subarray(0, size), holders };
}

/** The last exchange that begins at or before a chunk, or -1. Searches upwards from the place `from`, which must not lie after it. */
function placeOf(firsts: ArrayLike<number>, id: number, from: number): number {
  let step = 1;
  while (from + step < firsts.length && (firsts[from + step] as number) <= id) step *= 2;
  let [low, high] = [from, Math.min(firsts.length, from + step)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] as number) <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Measures of an outline that are the same for every prompt: the session of each exchange, and lengths as a share of the average. */
interface Measures {
  readonly lengths: Float64Array;
  readonly units: Int32Array;
  readonly unitLengths: Float64Array;
  /** Undefined for a session that no longer exists. */
  readonly sessions: readonly (OutlineSession | undefined)[];
}

const cache = new WeakMap<Outline, Measures>();

function measuresOf(outline: Outline): Measures {
  const cached = cache.get(outline);
  if (cached !== undefined) return cached;
  const { firsts, terms } = outline;
  const [units, sizes, sessions] = [new Int32Array(firsts.length), [] as number[], [] as (OutlineSession | undefined)[]];
  let unit = -1;
  for (let place = 0; place < firsts.length; place++) {
    const next = unitOf(firsts[place] as number);
    if (next !== unit) {
      sizes.push(0);
      sessions.push(outline.sessions.get(next));
    }
    unit = next;
    units[place] = sizes.length - 1;
    sizes[sizes.length - 1] = (sizes.at(-1) as number) + (terms[place] as number);
  }
  const measures = { lengths: sharesOf(terms), units, unitLengths: sharesOf(sizes), sessions };
  cache.set(outline, measures);
  return measures;
}

function sharesOf(values: ArrayLike<number>): Float64Array {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] as number;
  const mean = sum / Math.max(1, values.length);
  return Float64Array.from(values, (value) => value / mean);
}

/** BM25 that counts chunks with the term instead of occurrences; the length is a share of the average. */
const termScore = (count: number, rarity: number, length: number): number => (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));

/** Adds a term's score to each owner of its matches; `owners` has the owner of each match, ascending. */
function addScores(sums: Float64Array, owners: ArrayLike<number>, rarity: number, lengths: Float64Array): void {
  for (let at = 0; at < owners.length;) {
    const owner = owners[at] as number;
    let count = 0;
    for (; at < owners.length && owners[at] === owner; at++) count++;
    sums[owner] = (sums[owner] as number) + termScore(count, rarity, lengths[owner] as number);
  }
}

/** Sums by chunk number. An open hash table, because a `Map` would take most of the time of a prompt. */
class ChunkSums {
  readonly #keys: Float64Array;
  readonly #sums: Float64Array;
  readonly #mask: number;

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
    this.#keys = new Float64Array(size).fill(-1);
    this.#sums = new Float64Array(size);
    this.#mask = size - 1;
  }

  /** Returns the sum so far. */
  add(id: number, points: number): number {
    let slot = Math.imul((id / 64) | 0, 0x9e3779b1) & this.#mask;
    while (this.#keys[slot] !== id && this.#keys[slot] !== -1) slot = (slot + 1) & this.#mask;
    this.#keys[slot] = id;
    return (this.#sums[slot] = (this.#sums[slot] as number) + points);
  }
}

function bestExchanges(
  outline: Outline,
  matched: readonly MatchedTerm[],
  rarity: (term: string) => number,
  limit: number,
  except: string | undefined,
): RankedExchange[] {
  const { firsts } = outline;
  const { lengths, units, unitLengths, sessions } = measuresOf(outline);
  const [own, chunk, unit] = [new Float64Array(firsts.length), new Float64Array(firsts.length), new Float64Array(unitLengths.length)];
  const chunkSums = new ChunkSums(matched.reduce((sum, { chunks }) => sum + chunks.length, 0));
  for (const { term, chunks, places } of matched) {
    const rare = rarity(term);
    addScores(own, places, rare, lengths);
    const owners = new Int32Array(places.length);
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      owners[at] = units[place] as number;
      const sum = chunkSums.add(chunks[at] as number, rare);
      if (sum > (chunk[place] as number)) chunk[place] = sum;
    }
    addScores(unit, owners, rare, unitLengths);
  }
  const [most, mostChunk, mostUnit] = [largest(own), largest(chunk), largest(unit)];
  const chunkWeight = Math.min(WEIGHTS.mostChunk, WEIGHTS.chunk * Math.max(1, firsts.length / MANY));
  const ranked: { readonly place: number; readonly session: OutlineSession; readonly score: number }[] = [];
  for (let place = firsts.length - 1; place >= 0; place--) {
    if (own[place] === 0) continue;
    const session = sessions[units[place] as number];
    if (session === undefined || session.id === except) continue;
    const score =
      (WEIGHTS.exchange * (own[place] as number)) / most +
      (chunkWeight * (chunk[place] as number)) / mostChunk +
      (WEIGHTS.session * (unit[units[place] as number] as number)) / mostUnit +
      WEIGHTS.recency / (1 + session.newer / RECENT_SESSIONS);
    // The loop goes from the newest to the oldest: of two equal scores the newer exchange stays.
    if (ranked.length === limit && score <= (ranked[limit - 1]?.score ?? 0)) continue;
    const at = ranked.findIndex((other) => other.score < score);
    ranked.splice(at < 0 ? ranked.length : at, 0, { place, session, score });
    ranked.length = Math.min(limit, ranked.length);
  }
  return ranked.map(({ place, session, score }) => ({
    first: firsts[place] as number,
    next: firsts[place + 1] ?? Number.MAX_SAFE_INTEGER,
    session,
    score,
    evidence: evidenceOf(matched, place, rarity, lengths[place] as number),
  }));
}

function evidenceOf(matched: readonly MatchedTerm[], place: number, rarity: (term: string) => number, length: number): readonly TermScore[] {
  return matched
    .map(({ term, places }) => {
      let count = 0;
      for (let at = 0; at < places.length; at++) if (places[at] === place) count++;
      return { term, score: termScore(count, rarity(term), length) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
}

function largest(values: Float64Array): number {
  let most = Number.MIN_VALUE;
  for (let at = 0; at < values.length; at++) if ((values[at] as number) > most) most = values[at] as number;
  return most;
}
