import { chunkKind, stretchAround, unitOf } from '../chunks/split-text.ts';
import type { ChunkRow, UnitRow } from '../port.ts';
import { joinedWith, stretchesOf } from './postings.ts';
import { type FirstPass, type Seed, type IndexPart, topPlaces } from './seeds.ts';
import type { TermWeights, TermWeight } from './terms.ts';
import { ownScore, type UnitScore, unitScore } from './unit-score.ts';
import { placesOf, Windows } from './window.ts';

/** A chunk worth scoring exactly, with the scores of its neighbours and its unit. */
export interface RankCandidate {
  readonly part: IndexPart;
  readonly chunk: ChunkRow;
  readonly row: UnitRow;
  readonly unit: UnitScore;
  readonly own: number;
  readonly near: number;
  /** Weight of the terms in the chunk with its neighbours. */
  readonly coveredNear: number;
  /** A first estimate of its score. */
  readonly rank: number;
}

/** Distance in terms within which a message without a word of the question may still be the answer. */
const NEIGHBOURS = 26;

/** The best chunks around the seeds of one index, best first. */
export async function candidatesAround(
  { part, matches, stretches }: FirstPass,
  seeds: readonly Seed[],
  terms: readonly TermWeight[],
  weights: TermWeights,
  most: number,
): Promise<RankCandidate[]> {
  const ids = seeds.map(({ id }) => id);
  const added = await part.index.between(ids.filter((id) => chunkKind(id) === 'said').map((id) => stretchAround(id, NEIGHBOURS)));
  const units = new Set(ids.map(unitOf));
  const near = joinedWith(
    matches,
    stretches.filter(({ unit }) => units.has(unit)),
    added,
  );
  const rows = new Map((await part.index.units([...units])).map((row) => [row.unit, row]));
  const nearby = stretchesOf(near);
  const places = placesOf(near, nearby, new Set([...ids, ...added]));
  const windows = new Windows(
    near,
    terms.map(({ weight }) => weight),
    places,
  );
  const meanSize = part.size.terms / Math.max(1, part.size.chunks);
  const ownAt = (at: number): number => ownScore(near.ids[at] as number, weights.sum(near.masks[at] as number), meanSize);
  const unitScores = new Map<number, UnitScore>();
  const scored: (Omit<RankCandidate, 'chunk' | 'part'> & { readonly id: number })[] = [];
  for (const [at, stretch] of places) {
    const row = rows.get(stretch.unit);
    if (row === undefined) continue;
    let unit = unitScores.get(row.unit);
    if (unit === undefined) unitScores.set(row.unit, (unit = unitScore(near, stretch, row, terms, ownAt, part.size)));
    const { score, mask } = windows.near(at, stretch);
    const own = ownAt(at);
    const around = score === 0 ? own : score;
    scored.push({
      id: near.ids[at] as number,
      row,
      unit,
      near: around,
      own,
      coveredNear: weights.sum(mask),
      rank: around + unit.unit / 2 + weights.sum(stretch.mask) / 4,
    });
  }
  const best = topPlaces(
    scored.map(({ rank }) => rank),
    most,
  ).map((at) => scored[at] as (typeof scored)[number]);
  const chunks = new Map((await part.index.chunks(best.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]));
  const candidates: RankCandidate[] = [];
  for (const { id, ...scores } of best) {
    const chunk = chunks.get(id);
    if (chunk !== undefined) candidates.push({ part, chunk, ...scores });
  }
  return candidates;
}
