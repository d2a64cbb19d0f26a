/** Chunks that hold any of the terms, ascending, each with one bit for every term it holds. */
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

/** Lists are merged two and two: sorted lists need no hashing and no sorting. */
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

/** Some stretches of the matches with further chunks put in that hold no term. */
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
