import { kindOf, stretchAround, unitOf } from '../chunk-id.ts';
import type { ChunkRow, IndexSize, RecallIndex, UnitRow } from '../port.ts';
import { type Matches, mergePostings } from './merge.ts';
import { roughScores, type Stretch, stretchesOf } from './scan.ts';
import { TermWeights } from './term-weights.ts';
import type { WeighedTerm } from './terms.ts';
import { topPlaces } from './top.ts';
import { ownScore, type UnitScore, unitScore } from './unit-score.ts';
import { Windows } from './window.ts';

/** One of the indexes searched. */
export interface Shelf {
  readonly index: RecallIndex;
  /** Steps from the project at hand: 0 for itself. */
  readonly distance: number;
  readonly size: IndexSize;
  /** Set when a filter is in force. */
  readonly allowed?: ReadonlySet<number>;
}

/** A chunk worth a close look, with what its surroundings and its unit say for it. */
export interface Candidate {
  readonly shelf: Shelf;
  readonly chunk: ChunkRow;
  readonly row: UnitRow;
  readonly unit: UnitScore;
  readonly own: number;
  readonly near: number;
  /** Weight of the terms in the unit, and in the chunk with its neighbours. */
  readonly covered: number;
  readonly coveredNear: number;
}

const SEEDS = 100;
const SEED_UNITS = 40;
/** Terms before and after a chunk in which a message without a word of the question may be what answers it. */
const NEIGHBOURS = 26;
const CANDIDATES = 160;

export async function candidatesOn(shelf: Shelf, nth: number, terms: readonly WeighedTerm[]): Promise<Candidate[]> {
  const weights = new TermWeights(terms.map(({ weight }) => weight));
  const all = permitted(mergePostings(terms.map(({ postings }) => postings[nth]?.ids ?? [])), shelf.allowed);
  const stretches = stretchesOf(all);
  const seeds = seedsOf(all, stretches, weights);
  const added = await shelf.index.between(seeds.filter((id) => kindOf(id) === 'said').map((id) => stretchAround(id, NEIGHBOURS)));
  const units = new Set(seeds.map(unitOf));
  const near = withNeighbours(
    all,
    stretches.filter(({ unit }) => units.has(unit)),
    added,
  );
  const rows = new Map((await shelf.index.units([...units])).map((row) => [row.unit, row]));
  const looked = new Set([...seeds, ...added]);
  const found = lookedAt(near, looked, rows, terms, weights, shelf);
  const best = topPlaces(
    found.map(({ rank }) => rank),
    CANDIDATES,
  ).map((at) => found[at] as Looked);
  const chunks = new Map((await shelf.index.chunks(best.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]));
  return best.flatMap(({ id, row, unit, own, near: around, covered, coveredNear }) => {
    const chunk = chunks.get(id);
    return chunk === undefined ? [] : [{ shelf, chunk, row, unit, own, near: around, covered, coveredNear }];
  });
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

/** The best chunks, and the best chunk of each of the best units. */
function seedsOf(matches: Matches, stretches: readonly Stretch[], weights: TermWeights): number[] {
  const rough = roughScores(matches, stretches, weights);
  const bestOf = stretches.map(({ from, to }) => {
    let best = from;
    for (let at = from + 1; at < to; at++) if ((rough[at] as number) > (rough[best] as number)) best = at;
    return best;
  });
  const units = topPlaces(
    bestOf.map((at) => rough[at] as number),
    SEED_UNITS,
  ).map((at) => bestOf[at] as number);
  return [...new Set([...topPlaces(rough, SEEDS), ...units])].map((at) => matches.ids[at] as number);
}

/** The units' matches with chunks put in that hold no term themselves but stand beside one that does. */
function withNeighbours(matches: Matches, stretches: readonly Stretch[], added: readonly number[]): Matches {
  const extra = added.toSorted((a, b) => a - b);
  const size = stretches.reduce((sum, { from, to }) => sum + to - from, 0) + extra.length;
  const ids = new Float64Array(size);
  const masks = new Int32Array(size);
  let length = 0;
  let next = 0;
  const put = (id: number, mask: number): void => {
    if (length > 0 && ids[length - 1] === id) return;
    ids[length] = id;
    masks[length++] = mask;
  };
  for (const { from, to } of stretches) {
    for (let at = from; at < to; at++) {
      const id = matches.ids[at] as number;
      while (next < extra.length && (extra[next] as number) < id) put(extra[next++] as number, 0);
      if (extra[next] === id) next++;
      put(id, matches.masks[at] as number);
    }
  }
  while (next < extra.length) put(extra[next++] as number, 0);
  return { ids, masks, length };
}

interface Looked extends Omit<Candidate, 'shelf' | 'chunk'> {
  readonly id: number;
  readonly rank: number;
}

function lookedAt(
  matches: Matches,
  looked: ReadonlySet<number>,
  rows: ReadonlyMap<number, UnitRow>,
  terms: readonly WeighedTerm[],
  weights: TermWeights,
  shelf: Shelf,
): Looked[] {
  const places = placesOf(matches, looked);
  const windows = new Windows(
    matches,
    terms.map(({ weight }) => weight),
    places,
  );
  const meanSize = shelf.size.terms / Math.max(1, shelf.size.chunks);
  const own = (at: number): number => ownScore(matches.ids[at] as number, weights.sum(matches.masks[at] as number), meanSize);
  const units = new Map<Stretch, UnitScore>();
  const found: Looked[] = [];
  for (const [at, stretch] of places) {
    const row = rows.get(stretch.unit);
    if (row === undefined) continue;
    let unit = units.get(stretch);
    if (unit === undefined) units.set(stretch, (unit = unitScore(matches, stretch, row, terms, own, shelf.size)));
    const { score, mask } = windows.near(at, stretch);
    const covered = weights.sum(stretch.mask);
    const near = score === 0 ? own(at) : score;
    found.push({
      id: matches.ids[at] as number,
      row,
      unit,
      near,
      own: own(at),
      covered,
      coveredNear: weights.sum(mask),
      rank: near + unit.unit / 2 + covered / 4,
    });
  }
  return found;
}

function placesOf(matches: Matches, looked: ReadonlySet<number>): ReadonlyMap<number, Stretch> {
  const places = new Map<number, Stretch>();
  for (const stretch of stretchesOf(matches)) {
    for (let at = stretch.from; at < stretch.to; at++) if (looked.has(matches.ids[at] as number)) places.set(at, stretch);
  }
  return places;
}
