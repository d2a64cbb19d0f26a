import { KIND_NUMBER, kindNumberOf, unitOf } from '../chunks/split-text.ts';
import type { IndexSize, RecallIndex } from '../port.ts';
import { type Matches, mergePostings, aroundOf, ownSums, type Stretch, stretchesOf } from './postings.ts';
import type { TermWeights, TermWeight } from './terms.ts';

/** Places of the `most` largest values, largest first. Uses one pass and a small heap, because the list may be long. */
export function topPlaces(values: ArrayLike<number>, most: number): number[] {
  const heap: number[] = [];
  const value = (at: number): number => values[heap[at] as number] as number;
  if (most <= 0) return heap;
  let place = 0;
  for (; place < values.length && heap.length < most; place++) {
    heap.push(place);
    for (let at = heap.length - 1; at > 0 && value(at) < value((at - 1) >> 1); at = (at - 1) >> 1) swap(heap, at, (at - 1) >> 1);
  }
  for (let least = value(0); place < values.length; place++) {
    if ((values[place] as number) <= least) continue;
    heap[0] = place;
    sinkFirst(heap, values);
    least = value(0);
  }
  return heap.toSorted((a, b) => (values[b] as number) - (values[a] as number) || a - b);
}

function swap(heap: number[], a: number, b: number): void {
  const moved = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = moved;
}

function sinkFirst(heap: number[], values: ArrayLike<number>): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const isRight = left + 1 < heap.length && (values[heap[left + 1] as number] as number) < (values[heap[left] as number] as number);
    const least = isRight ? left + 1 : left;
    if ((values[heap[at] as number] as number) <= (values[heap[least] as number] as number)) return;
    swap(heap, at, least);
    at = least;
  }
}

/** One of the indexes searched. */
export interface IndexPart {
  /** Its place among those searched. */
  readonly nth: number;
  readonly index: RecallIndex;
  /** Steps from the current project; 0 for itself. */
  readonly distance: number;
  readonly size: IndexSize;
  /** Set when a filter is in force. */
  readonly allowed?: ReadonlySet<number>;
}

/** The rough scores of one index, computed from chunk numbers alone. */
export interface FirstPass {
  readonly part: IndexPart;
  readonly matches: Matches;
  readonly stretches: readonly Stretch[];
  readonly seeds: readonly Seed[];
}

/** A chunk around which candidates are scored exactly. */
export interface Seed {
  readonly id: number;
  readonly worth: number;
}

const SEEDS = 100;
const SEED_UNITS = 40;
/** More units for sessions of work: they are fewer and longer than talk, and more of them share a topic. */
const SEED_UNITS_OF_WORK = 60;
/** The most chunks whose neighbours are added to the rough score. */
const MOST_WITH_NEIGHBOURS = 400;

export function firstPass(part: IndexPart, nth: number, terms: readonly TermWeight[], weights: TermWeights): FirstPass {
  const matches = permitted(mergePostings(terms.map(({ postings }) => postings[nth]?.ids ?? [])), part.allowed);
  const stretches = stretchesOf(matches);
  const worth = ownSums(matches, stretches, weights);
  const likely = topPlaces(worth, MOST_WITH_NEIGHBOURS);
  for (const { at, stretch } of withStretches(likely, stretches)) worth[at] = (worth[at] as number) + aroundOf(matches, at, stretch, weights);
  const best = topPlaces(
    likely.map((at) => worth[at] as number),
    SEEDS,
  ).map((at) => likely[at] as number);
  const places = new Set([...best, ...bestOfUnits(matches, worth, stretches)]);
  return { part, matches, stretches, seeds: [...places].map((at) => ({ id: matches.ids[at] as number, worth: worth[at] as number })) };
}

function permitted(matches: Matches, allowed: ReadonlySet<number> | undefined): Matches {
  if (allowed === undefined) return matches;
  const ids = new Float64Array(matches.length);
  const masks = new Int32Array(matches.length);
  let length = 0;
  for (let at = 0; at < matches.length; at++) {
    if (!allowed.has(unitOf(matches.ids[at] as number))) continue;
    ids[length] = matches.ids[at] as number;
    masks[length++] = matches.masks[at] as number;
  }
  return { ids, masks, length };
}

function* withStretches(places: readonly number[], stretches: readonly Stretch[]): Generator<{ readonly at: number; readonly stretch: Stretch }> {
  let next = 0;
  for (const at of places.toSorted((a, b) => a - b)) {
    while ((stretches[next] as Stretch).to <= at) next++;
    yield { at, stretch: stretches[next] as Stretch };
  }
}

/** The best chunk of each of the best units, so that one unit cannot take all the seeds. */
function bestOfUnits({ ids }: Matches, worth: Float64Array, stretches: readonly Stretch[]): number[] {
  const bestOf = stretches.map(({ from, to }) => {
    let best = from;
    for (let at = from + 1; at < to; at++) if ((worth[at] as number) > (worth[best] as number)) best = at;
    return best;
  });
  const best = topPlaces(
    bestOf.map((at) => worth[at] as number),
    SEED_UNITS_OF_WORK,
  ).map((at) => bestOf[at] as number);
  return best.filter((at, place) => place < SEED_UNITS || kindNumberOf(ids[at] as number) !== KIND_NUMBER.said);
}
