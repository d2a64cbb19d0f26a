import { KIND_NUMBER, kindNumberOf, chunkSize } from '../chunks/split-text.ts';
import type { IndexSize, UnitRow } from '../port.ts';
import type { Matches, Stretch } from './postings.ts';
import type { TermWeight } from './terms.ts';
import { CHUNK_BM25, TITLE_SHARE, UNIT_BM25 } from './weights.ts';

/** The scores of a unit as a whole. */
export interface UnitScore {
  /** BM25 that counts chunks as occurrences, without code. */
  readonly unit: number;
  readonly bestThree: number;
}

const { code: CODE, title: TITLE } = KIND_NUMBER;

/** Score of a chunk's own terms: a longer chunk contains more of them by chance. */
export function ownScore(id: number, sum: number, meanSize: number): number {
  const { k1, b } = CHUNK_BM25;
  const share = kindNumberOf(id) === TITLE ? TITLE_SHARE : 1;
  return (sum * share * (k1 + 1)) / (1 + k1 * (1 - b + (b * chunkSize(id)) / meanSize));
}

export function unitScore(
  { ids, masks }: Matches,
  { from, to }: Stretch,
  row: UnitRow,
  terms: readonly TermWeight[],
  own: (at: number) => number,
  size: IndexSize,
): UnitScore {
  const counts = new Float64Array(terms.length);
  const best = [0, 0, 0];
  for (let at = from; at < to; at++) {
    if (kindNumberOf(ids[at] as number) === CODE) continue;
    for (let rest = masks[at] as number; rest !== 0; rest &= rest - 1) {
      const term = 31 - Math.clz32(rest & -rest);
      counts[term] = (counts[term] as number) + 1;
    }
    keepBest(best, own(at));
  }
  const { k1, b } = UNIT_BM25;
  const norm = k1 * (1 - b + (b * row.size * size.units) / Math.max(1, size.terms));
  const sum = (termCounts: Float64Array): number =>
    terms.reduce(
      (total, { unitWeight }, term) => total + (unitWeight * (termCounts[term] as number) * (k1 + 1)) / ((termCounts[term] as number) + norm || 1),
      0,
    );
  return { unit: sum(counts), bestThree: (best[0] as number) + (best[1] as number) + (best[2] as number) };
}

function keepBest(best: number[], value: number): void {
  if (value <= (best[2] as number)) return;
  best[2] = value;
  best.sort((a, b) => b - a);
}
