/** A stored vector: a signed byte for each number for scoring, and a bit for each for the first pass. */
export interface Quantized {
  readonly scale: number;
  readonly bytes: Int8Array;
  readonly bits: Uint32Array;
}

export const wordsFor = (size: number): number => Math.ceil(size / 32);

function signsOf(vector: ArrayLike<number>): Uint32Array {
  const bits = new Uint32Array(wordsFor(vector.length));
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] as number) > 0) bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
  }
  return bits;
}

export function quantize(vector: Float32Array): Quantized {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127 || 1;
  return { scale, bytes: Int8Array.from(vector, (value) => Math.round(value / scale)), bits: signsOf(vector) };
}

/** Cosine of a vector of length one and a stored one. */
export function cosine(query: Float32Array, bytes: Int8Array, scale: number): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (query[at] as number) * (bytes[at] as number);
  return sum * scale;
}

/** The signs of many vectors, one behind the other. */
export interface Signs {
  readonly keys: Float64Array;
  readonly bits: Uint32Array;
  readonly words: number;
}

/** Keys of the `most` vectors whose signs differ least from the query's: a first pass that reads only bits. */
export function nearestSigns({ keys, bits, words }: Signs, query: Float32Array, most: number): number[] {
  const wanted = signsOf(query);
  const distances = new Uint16Array(keys.length);
  const histogram = new Uint32Array(words * 32 + 1);
  for (let row = 0, at = 0; row < keys.length; row++) {
    let distance = 0;
    for (let word = 0; word < words; word++, at++) {
      let x = (bits[at] as number) ^ (wanted[word] as number);
      x -= (x >>> 1) & 0x55555555;
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
      distance += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    distances[row] = distance;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
  let [furthest, count] = [-1, 0];
  while (furthest + 1 < histogram.length && count < most) count += histogram[++furthest] as number;
  const near: number[] = [];
  const edge: number[] = [];
  for (let row = 0; row < keys.length; row++) {
    const distance = distances[row] as number;
    if (distance < furthest) near.push(keys[row] as number);
    else if (distance === furthest && edge.length < most) edge.push(keys[row] as number);
  }
  return near.concat(edge).slice(0, most);
}
