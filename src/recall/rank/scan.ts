import { KIND_NUMBER, kindNumberOf, chunkPlace, chunkSize, UNIT_SPAN, unitOf } from '../chunk-id.ts';
import type { Matches } from './merge.ts';
import type { TermWeights } from './term-weights.ts';
import { NEIGHBOURHOOD } from './weights.ts';

/** A unit's part of the matches. */
export interface Stretch {
  readonly unit: number;
  readonly from: number;
  readonly to: number;
  /** Terms anywhere in the unit. */
  readonly mask: number;
}

const CODE = KIND_NUMBER.code;

export function stretchesOf({ ids, masks, length }: Matches): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from < length;) {
    const unit = unitOf(ids[from] as number);
    const end = (unit + 1) * UNIT_SPAN;
    let to = from;
    let mask = 0;
    while (to < length && (ids[to] as number) < end) mask |= masks[to++] as number;
    stretches.push({ unit, from, to, mask });
    from = to;
  }
  return stretches;
}

/** A rough worth for every match: its own terms, and a share of those anywhere in its unit. */
export function ownSums({ ids, masks, length }: Matches, stretches: readonly Stretch[], weights: TermWeights): Float64Array {
  const sums = new Float64Array(length);
  for (const { from, to, mask } of stretches) {
    const anywhere = weights.sum(mask) / 2;
    for (let at = from; at < to; at++) {
      const own = weights.sum(masks[at] as number);
      sums[at] = anywhere + (kindNumberOf(ids[at] as number) === CODE ? own / 2 : own);
    }
  }
  return sums;
}

/** Half the weight of the terms that a chunk lacks and its neighbours hold. */
export function aroundOf({ ids, masks }: Matches, at: number, { from, to }: Stretch, weights: TermWeights): number {
  if (kindNumberOf(ids[at] as number) === CODE) return 0;
  const start = chunkPlace(ids[at] as number);
  const end = start + chunkSize(ids[at] as number);
  let found = 0;
  for (let other = at - 1; other >= from; other--) {
    const id = ids[other] as number;
    if (start - chunkPlace(id) - chunkSize(id) > NEIGHBOURHOOD.reach) break;
    found |= masks[other] as number;
  }
  for (let other = at + 1; other < to; other++) {
    if (chunkPlace(ids[other] as number) - end > NEIGHBOURHOOD.reach) break;
    found |= masks[other] as number;
  }
  return weights.sum(found & ~(masks[at] as number)) / 2;
}
