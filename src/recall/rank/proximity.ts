import { analyze } from '../text/analyze.ts';
import type { RankCandidate } from './candidates.ts';

/** The distance below which two words count as a pair, in the question and in the chunk. */
const WITHIN = 8;

/** Scores chunks by pairs of words that stand together in the question too. */
export class ProximityScorer {
  readonly #places: ReadonlyMap<string, number>;
  readonly #weights: readonly number[];
  readonly #together = new Set<number>();
  readonly #span: number;

  /** `sequence` has the question's terms in order; `terms` and `weights` only those that count. */
  constructor(sequence: readonly string[], terms: readonly string[], weights: readonly number[]) {
    this.#places = new Map(terms.map((term, at) => [term, at]));
    this.#weights = weights;
    this.#span = terms.length;
    const numbers = sequence.map((term) => this.#places.get(term) ?? -1);
    for (let at = 0; at < numbers.length; at++) {
      for (let next = at + 1; next < Math.min(numbers.length, at + WITHIN); next++) {
        const a = numbers[at] as number;
        const b = numbers[next] as number;
        if (a >= 0 && b >= 0 && a !== b) this.#together.add(this.#pair(a, b));
      }
    }
  }

  /** The chunk's terms in order, as places among the terms that count. */
  placesOf(terms: readonly string[]): readonly number[] {
    return terms.map((term) => this.#places.get(term) ?? -1);
  }

  /** The sum over the question's pairs that stand together here too, in any order, of the smaller weight of each pair. */
  score(numbers: ArrayLike<number>): number {
    let sum = 0;
    const counted = new Set<number>();
    for (let at = 0; at < numbers.length; at++) {
      const a = numbers[at] as number;
      if (a < 0) continue;
      for (let next = at + 1; next < Math.min(numbers.length, at + WITHIN); next++) {
        const b = numbers[next] as number;
        if (b < 0 || a === b) continue;
        const pair = this.#pair(a, b);
        if (!this.#together.has(pair) || counted.has(pair)) continue;
        counted.add(pair);
        sum += Math.min(this.#weights[a] as number, this.#weights[b] as number);
      }
    }
    return sum;
  }

  #pair(a: number, b: number): number {
    return Math.min(a, b) * this.#span + Math.max(a, b);
  }
}

/** The proximity score of each candidate, from the order of terms in the index if it stores that, else from the text. */
export async function proximities(candidates: readonly RankCandidate[], scorer: ProximityScorer, terms: readonly string[]): Promise<readonly number[]> {
  const orders = new Map<RankCandidate, ArrayLike<number>>();
  for (const [index, these] of byIndex(candidates)) {
    const ids = these.map(({ chunk }) => chunk.id);
    const termOrders = await index.orders?.(ids, terms);
    for (const [nth, one] of these.entries()) orders.set(one, termOrders?.[nth] ?? scorer.placesOf(one.chunk.terms ?? analyze(one.chunk.text)));
  }
  return candidates.map((candidate) => scorer.score(orders.get(candidate) as ArrayLike<number>));
}

function byIndex(candidates: readonly RankCandidate[]): Map<RankCandidate['part']['index'], RankCandidate[]> {
  const groups = new Map<RankCandidate['part']['index'], RankCandidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.part.index);
    if (group === undefined) groups.set(candidate.part.index, [candidate]);
    else group.push(candidate);
  }
  return groups;
}
