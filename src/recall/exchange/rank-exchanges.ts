import { kindNumberOf, KIND_NUMBER, unitOf } from '../chunks/split-text.ts';
import type { Postings } from '../port.ts';
import type { ExchangeIndex, Outline, OutlineSession } from './port.ts';

/** What counts for an exchange, each as a share of the best: its own words, its best chunk, its whole session, and how new it is. */
const WEIGHTS = { exchange: 1, chunk: 0.3, mostChunk: 1, session: 0.2, recency: 0.4 } as const;
/** Among many exchanges a long one shares words with any prompt by chance, while one passage seldom does: beyond so many, the best chunk counts more as the project grows. */
const MANY = 200;
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
  /** All that the project has. */
  readonly exchanges: number;
  /** How much a term tells in this project: the rarer, the more. */
  readonly rarity: (term: string) => number;
}

/** The chunks of prose that hold a term, by ascending number, and the exchange of each by its place in the outline. */
interface Matched {
  readonly term: string;
  readonly chunks: ArrayLike<number>;
  readonly places: ArrayLike<number>;
  /** Exchanges that hold it. */
  readonly holders: number;
}

/** The exchanges of a project that are nearest to the terms of a prompt. */
export async function rankExchanges(
  index: ExchangeIndex,
  terms: readonly string[],
  limit: number,
  except?: string,
  newest = MOST_OF_A_TERM,
): Promise<ExchangeRanking> {
  const [outline, postings] = [await index.outline(), await index.postings(terms, newest)];
  const matched = affordable(terms, postings).map(({ term, ids }) => placed(outline, term, ids));
  const holders = new Map(matched.map((one) => [one.term, one.holders]));
  const rarity = (term: string): number => rarityOf(holders.get(term) ?? 0, outline.firsts.length);
  return { ranked: best(outline, matched, rarity, limit, except), exchanges: outline.firsts.length, rarity };
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

/** Finds the exchange of each chunk; commands and code do not count. */
function placed({ firsts }: Outline, term: string, ids: ArrayLike<number>): Matched {
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

/** The last exchange that begins at or before a chunk; -1 where none does. Looks near a place at which or after which it is. */
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

/** What of an outline stays the same for every prompt: the session of each exchange, by its nth, and lengths as a share of the average. */
interface Measures {
  readonly lengths: Float64Array;
  readonly units: Int32Array;
  readonly unitLengths: Float64Array;
  /** By nth session; undefined for one that is gone. */
  readonly sessions: readonly (OutlineSession | undefined)[];
}

const measured = new WeakMap<Outline, Measures>();

function measuresOf(outline: Outline): Measures {
  const known = measured.get(outline);
  if (known !== undefined) return known;
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
  const made = { lengths: sharesOf(terms), units, unitLengths: sharesOf(sizes), sessions };
  measured.set(outline, made);
  return made;
}

function sharesOf(values: ArrayLike<number>): Float64Array {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] as number;
  const mean = sum / Math.max(1, values.length);
  return Float64Array.from(values, (value) => value / mean);
}

/** BM25, by chunks that hold a term instead of its occurrences; the length as a share of the average. */
const termScore = (count: number, rarity: number, length: number): number => (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));

/** Adds what a term is worth to everything that holds it; `owners` names it for each match, ascending. */
function addScores(sums: Float64Array, owners: ArrayLike<number>, rarity: number, lengths: Float64Array): void {
  for (let at = 0; at < owners.length;) {
    const owner = owners[at] as number;
    let count = 0;
    for (; at < owners.length && owners[at] === owner; at++) count++;
    sums[owner] = (sums[owner] as number) + termScore(count, rarity, lengths[owner] as number);
  }
}

/** Sums by number of a chunk: an open hash table, since a `Map` takes most of a prompt's time. */
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

function best(outline: Outline, matched: readonly Matched[], rarity: (term: string) => number, limit: number, except: string | undefined): RankedExchange[] {
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
    // Of two alike the later one counts, which comes first here.
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

function evidenceOf(matched: readonly Matched[], place: number, rarity: (term: string) => number, length: number): readonly TermScore[] {
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
