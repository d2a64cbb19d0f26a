import { decodeSteps } from '../../../core/episode/chunk-lists.ts';

/** Reused buffers for decoded numbers: allocating new ones for each call would cost time to clear and collect them. */
let [decoded, spare] = [new Float64Array(0), new Float64Array(0)];

/** All numbers of some blocks, ascending. Each block is ascending; those of one project follow each other, those of several overlap. */
export function chunkNumbersIn(blocks: readonly Uint8Array[]): Float64Array {
  // A number takes a byte or more.
  const most = blocks.reduce((sum, block) => sum + block.length, 0);
  if (decoded.length < most) [decoded, spare] = [new Float64Array(2 * most), new Float64Array(2 * most)];
  const ends: number[] = [];
  let end = 0;
  // Blocks come with the newest first.
  for (let nth = blocks.length - 1; nth >= 0; nth--) {
    const start = end;
    end = decodeSteps(blocks[nth] as Uint8Array, decoded, start);
    const continues = start > 0 && (decoded[start - 1] as number) <= (decoded[start] as number);
    if (continues) ends[ends.length - 1] = end;
    else ends.push(end);
  }
  return mergedRuns(ends, end);
}

/** Merges ascending runs pairwise; `ends` holds where each run ends. */
function mergedRuns(ends: readonly number[], length: number): Float64Array {
  let runs = ends;
  while (runs.length > 1) {
    const next: number[] = [];
    for (let nth = 0; nth < runs.length; nth += 2) {
      const [from, middle] = [nth === 0 ? 0 : (runs[nth - 1] as number), runs[nth] as number];
      const to = runs[nth + 1] ?? middle;
      mergeInto(spare, decoded, from, middle, to);
      next.push(to);
    }
    [decoded, spare, runs] = [spare, decoded, next];
  }
  return decoded.slice(0, length);
}

function mergeInto(target: Float64Array, source: Float64Array, from: number, middle: number, to: number): void {
  let [left, right] = [from, middle];
  for (let at = from; at < to; at++) {
    const isLeft = left < middle && (right >= to || (source[left] as number) <= (source[right] as number));
    target[at] = source[isLeft ? left++ : right++] as number;
  }
}
