import { KIND_NUMBER, kindNumberOf, chunkPlace, chunkSize } from '../chunks/split-text.ts';
import type { Matches, Stretch } from './postings.ts';
import { NEIGHBOURHOOD, WINDOW_BM25 } from './weights.ts';

const CODE = KIND_NUMBER.code;

type Visit = (at: number, share: number) => void;

/** The places of some chunks among the matches, each with its unit's stretch. */
export function placesOf({ ids }: Matches, stretches: readonly Stretch[], placed: ReadonlySet<number>): ReadonlyMap<number, Stretch> {
  const places = new Map<number, Stretch>();
  for (const stretch of stretches) for (let at = stretch.from; at < stretch.to; at++) if (placed.has(ids[at] as number)) places.set(at, stretch);
  return places;
}

/** Scores chunks together with their neighbours. */
export class Windows {
  readonly #matches: Matches;
  readonly #weights: readonly number[];
  readonly #counts: Float64Array;
  readonly #meanSize: number;

  /** The mean size of a window is taken over `places`. */
  constructor(matches: Matches, weights: readonly number[], places: ReadonlyMap<number, Stretch>) {
    this.#matches = matches;
    this.#weights = weights;
    this.#counts = new Float64Array(weights.length);
    let total = 0;
    for (const [at, stretch] of places) total += this.#sizeAround(at, stretch);
    this.#meanSize = Math.max(1, total / Math.max(1, places.size));
  }

  /** BM25 over the chunk and its neighbours as one text, in which the neighbours' words count in part. Code has no neighbours. */
  near(at: number, stretch: Stretch): { readonly score: number; readonly mask: number } {
    if (this.#isCode(at)) return { score: 0, mask: this.#matches.masks[at] as number };
    this.#counts.fill(0);
    let size = 0;
    let mask = 0;
    this.#visit(at, stretch, (other, share) => {
      mask |= this.#matches.masks[other] as number;
      size += share * chunkSize(this.#matches.ids[other] as number);
      for (let rest = this.#matches.masks[other] as number; rest !== 0; rest &= rest - 1) {
        const term = 31 - Math.clz32(rest & -rest);
        this.#counts[term] = (this.#counts[term] as number) + share;
      }
    });
    const { k1, b } = WINDOW_BM25;
    const norm = k1 * (1 - b + (b * size) / this.#meanSize);
    let score = 0;
    for (let term = 0; term < this.#counts.length; term++) {
      const count = this.#counts[term] as number;
      if (count > 0) score += ((this.#weights[term] as number) * count * (k1 + 1)) / (count + norm);
    }
    return { score, mask };
  }

  #sizeAround(at: number, stretch: Stretch): number {
    let size = 0;
    this.#visit(at, stretch, (other, share) => {
      size += share * chunkSize(this.#matches.ids[other] as number);
    });
    return size;
  }

  #isCode(at: number): boolean {
    return kindNumberOf(this.#matches.ids[at] as number) === CODE;
  }

  #visit(at: number, { from, to }: Stretch, visit: Visit): void {
    const { ids } = this.#matches;
    const { before, after, maxGap } = NEIGHBOURHOOD;
    const start = chunkPlace(ids[at] as number);
    const end = start + chunkSize(ids[at] as number);
    visit(at, 1);
    for (let other = at - 1; other >= from; other--) {
      const id = ids[other] as number;
      const gap = start - chunkPlace(id) - chunkSize(id);
      if (gap > maxGap) break;
      if (!this.#isCode(other)) visit(other, before * (1 - Math.max(0, gap) / (maxGap + 1)));
    }
    for (let other = at + 1; other < to; other++) {
      const gap = chunkPlace(ids[other] as number) - end;
      if (gap > maxGap) break;
      if (!this.#isCode(other)) visit(other, after * (1 - Math.max(0, gap) / (maxGap + 1)));
    }
  }
}
