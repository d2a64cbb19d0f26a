import { KIND_NUMBER, kindNumberOf, chunkPlace, chunkSize, UNIT_SPAN, unitOf } from '../chunks/split-text.ts';
import type { TermWeights } from './terms.ts';
import { NEIGHBOURHOOD } from './weights.ts';

/** Chunks that contain any of the terms, ascending, each with one bit for every term in it. */
export interface Matches {
  readonly ids: Float64Array;
  readonly masks: Int32Array;
  readonly length: number;
}

/** One bit a term. */
export const MOST_TERMS = 31;

const single = (ids: ArrayLike<number>, bit: number): Matches => ({
  ids: ids instanceof Float64Array ? ids : new Float64Array(ids),
  masks: new Int32Array(ids.length).fill(1 << bit),
  length: ids.length,
});

/** Merges sorted lists in pairs, which needs neither hashing nor sorting. */
export function mergePostings(lists: readonly ArrayLike<number>[]): Matches {
  let round = lists.map(single);
  while (round.length > 1) {
    const next: Matches[] = [];
    round.sort((a, b) => a.length - b.length);
    for (let at = 0; at < round.length; at += 2) {
      const right = round[at + 1];
      next.push(right === undefined ? (round[at] as Matches) : mergeTwo(round[at] as Matches, right));
    }
    round = next;
  }
  return round[0] ?? { ids: new Float64Array(0), masks: new Int32Array(0), length: 0 };
}

function mergeTwo(a: Matches, b: Matches): Matches {
  const ids = new Float64Array(a.length + b.length);
  const masks = new Int32Array(a.length + b.length);
  let length = 0;
  let left = 0;
  let right = 0;
  while (left < a.length || right < b.length) {
    const x = left < a.length ? (a.ids[left] as number) : Infinity;
    const y = right < b.length ? (b.ids[right] as number) : Infinity;
    ids[length] = x < y ? x : y;
    masks[length++] = (x <= y ? (a.masks[left++] as number) : 0) | (y <= x ? (b.masks[right++] as number) : 0);
  }
  return { ids, masks, length };
}

/** Some stretches of the matches, with further chunks inserted that contain no term. */
export function joinedWith(matches: Matches, stretches: readonly { readonly from: number; readonly to: number }[], added: readonly number[]): Matches {
  const extra = added.toSorted((a, b) => a - b);
  const size = stretches.reduce((sum, { from, to }) => sum + to - from, 0) + extra.length;
  const ids = new Float64Array(size);
  const masks = new Int32Array(size);
  let length = 0;
  let next = 0;
  const put = (id: number, mask: number): void => {
    ids[length] = id;
    masks[length++] = mask;
  };
  for (const { from, to } of stretches) {
    for (let at = from; at < to; at++) {
      const id = matches.ids[at] as number;
      while (next < extra.length && (extra[next] as number) < id) put(extra[next++] as number, 0);
      while (extra[next] === id) next++;
      put(id, matches.masks[at] as number);
    }
  }
  while (next < extra.length) put(extra[next++] as number, 0);
  return { ids, masks, length };
}

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

/** A rough score for every match: its own terms, and half of the terms anywhere in its unit. */
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

/** Half the weight of the terms that a chunk lacks and its neighbours have. */
export function aroundOf({ ids, masks }: Matches, at: number, { from, to }: Stretch, weights: TermWeights): number {
  if (kindNumberOf(ids[at] as number) === CODE) return 0;
  const start = chunkPlace(ids[at] as number);
  const end = start + chunkSize(ids[at] as number);
  let nearMask = 0;
  for (let other = at - 1; other >= from; other--) {
    const id = ids[other] as number;
    if (start - chunkPlace(id) - chunkSize(id) > NEIGHBOURHOOD.maxGap) break;
    nearMask |= masks[other] as number;
  }
  for (let other = at + 1; other < to; other++) {
    if (chunkPlace(ids[other] as number) - end > NEIGHBOURHOOD.maxGap) break;
    nearMask |= masks[other] as number;
  }
  return weights.sum(nearMask & ~(masks[at] as number)) / 2;
}
