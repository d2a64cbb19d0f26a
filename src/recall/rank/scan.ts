import { kindOf, placeOf, sizeOf, unitOf, UNIT_SPAN } from '../chunk-id.ts';
import type { Matches } from './merge.ts';
import type { TermWeights } from './term-weights.ts';

/** What the numbers alone say of a matching chunk. */
export interface ScannedChunk {
  readonly id: number;
  /** Weight of the query's terms in the chunk itself, less for a longer chunk. */
  readonly own: number;
  /** The same with the chunks around it, nearer ones counting more. */
  readonly near: number;
}

export interface ScannedUnit {
  readonly unit: number;
  /** The unit's part of the matches. */
  readonly from: number;
  readonly to: number;
  /** Terms anywhere in the unit. */
  readonly mask: number;
  readonly bestThree: number;
  readonly bestNear: number;
}

export interface Kernel {
  /** Share of a neighbour's terms that counts, before and after the chunk, when nothing stands between. */
  readonly before: number;
  readonly after: number;
  /** Terms between two chunks at which they are no neighbours any more. */
  readonly reach: number;
  readonly meanSize: number;
  /** BM25's k1 and b for a term that occurs once. */
  readonly k1: number;
  readonly b: number;
}

const CODE = 4;

export interface Scan {
  readonly own: Float64Array;
  readonly near: Float64Array;
  readonly units: readonly ScannedUnit[];
}

/** One pass over the matches, unit by unit. */
export function scan(matches: Matches, weights: TermWeights, kernel: Kernel): Scan {
  const { ids, length } = matches;
  const own = new Float64Array(length);
  const near = new Float64Array(length);
  const units: ScannedUnit[] = [];
  for (let from = 0; from < length;) {
    const unit = unitOf(ids[from] as number);
    const end = (unit + 1) * UNIT_SPAN;
    let to = from + 1;
    while (to < length && (ids[to] as number) < end) to++;
    units.push(scanUnit(matches, unit, from, to, weights, kernel, own, near));
    from = to;
  }
  return { own, near, units };
}

function scanUnit(
  matches: Matches,
  unit: number,
  from: number,
  to: number,
  weights: TermWeights,
  kernel: Kernel,
  own: Float64Array,
  near: Float64Array,
): ScannedUnit {
  const { ids, masks } = matches;
  let mask = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  let bestNear = 0;
  for (let at = from; at < to; at++) {
    const id = ids[at] as number;
    const value = weights.sum(masks[at] as number) * shortness(sizeOf(id), kernel);
    own[at] = value;
    mask |= masks[at] as number;
    near[at] = kindOf(id) === CODE ? value : value + around(matches, at, from, to, weights, kernel);
    if ((near[at] as number) > bestNear) bestNear = near[at] as number;
    if (value > first) [first, second, third] = [value, first, second];
    else if (value > second) [second, third] = [value, second];
    else if (value > third) third = value;
  }
  return { unit, from, to, mask, bestThree: first + second + third, bestNear };
}

const shortness = (size: number, { k1, b, meanSize }: Kernel): number => (k1 + 1) / (1 + k1 * (1 - b + (b * size) / meanSize));

/** Terms that the chunk lacks and its neighbours hold, each at its nearest. */
function around(matches: Matches, at: number, from: number, to: number, weights: TermWeights, kernel: Kernel): number {
  const { ids, masks } = matches;
  const start = placeOf(ids[at] as number);
  const end = start + sizeOf(ids[at] as number);
  let seen = masks[at] as number;
  let total = 0;
  for (let other = at - 1; other >= from; other--) {
    const id = ids[other] as number;
    const gap = start - placeOf(id) - sizeOf(id);
    if (gap > kernel.reach) break;
    const fresh = kindOf(id) === CODE ? 0 : (masks[other] as number) & ~seen;
    if (fresh === 0) continue;
    total += weights.sum(fresh) * kernel.before * (1 - Math.max(0, gap) / (kernel.reach + 1));
    seen |= fresh;
  }
  for (let other = at + 1; other < to; other++) {
    const id = ids[other] as number;
    const gap = placeOf(id) - end;
    if (gap > kernel.reach) break;
    const fresh = kindOf(id) === CODE ? 0 : (masks[other] as number) & ~seen;
    if (fresh === 0) continue;
    total += weights.sum(fresh) * kernel.after * (1 - Math.max(0, gap) / (kernel.reach + 1));
    seen |= fresh;
  }
  return total;
}
