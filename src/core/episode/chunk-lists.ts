/** Chunk numbers in ascending order as the steps between them, seven bits a byte. */
export function encodeSteps(ids: readonly number[], from: number, to: number, before: number): Uint8Array {
  const bytes: number[] = [];
  let last = before;
  for (let at = from; at < to; at++) {
    const id = ids[at] as number;
    let step = id - last;
    last = id;
    while (step >= 128) {
      bytes.push((step % 128) | 128);
      step = Math.floor(step / 128);
    }
    bytes.push(step);
  }
  return Uint8Array.from(bytes);
}

/** Puts the numbers of a block into a list from a place on; returns the place behind them. */
export function decodeSteps(bytes: Uint8Array, into: Float64Array, from: number): number {
  const { length } = bytes;
  let id = 0;
  let place = from;
  for (let at = 0; at < length;) {
    let byte = bytes[at++] as number;
    let step = byte & 127;
    // Shifts are fast and hold 31 bits; the few steps beyond are multiplied.
    for (let shift = 7; byte >= 128 && shift < 28; shift += 7) {
      byte = bytes[at++] as number;
      step |= (byte & 127) << shift;
    }
    for (let scale = 2 ** 28; byte >= 128; scale *= 128) {
      byte = bytes[at++] as number;
      step += (byte & 127) * scale;
    }
    id += step;
    into[place++] = id;
  }
  return place;
}

/** Bytes for a term: one chance in sixteen million that another looks the same, which would only move a hit by a little. */
const WIDTH = 3;
const MASK = 0xff_ff_ff;

/** A number for a term, the same in every process. */
export function printOf(term: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 16_777_619);
  return (hash ^ (hash >>> 24)) & MASK;
}

/** The terms of a chunk, by their numbers, in their order, so that what stands beside what is known without reading and taking apart its text. */
export function encodeOrder(terms: readonly { readonly print: number }[]): Uint8Array {
  const bytes = new Uint8Array(terms.length * WIDTH);
  for (let nth = 0, at = 0; nth < terms.length; nth++) {
    const hash = (terms[nth] as { readonly print: number }).print;
    bytes[at++] = hash & 255;
    bytes[at++] = (hash >>> 8) & 255;
    bytes[at++] = hash >>> 16;
  }
  return bytes;
}

/** Finds terms in orders: the place of each among those looked for, -1 for any other. */
export function orderReader(terms: readonly string[]): (bytes: Uint8Array) => Int32Array {
  const places = new Map(terms.map((term, place) => [printOf(term), place]));
  return (bytes) => {
    const found = new Int32Array(bytes.length / WIDTH);
    for (let nth = 0, at = 0; nth < found.length; nth++, at += WIDTH) {
      found[nth] = places.get((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16)) ?? -1;
    }
    return found;
  };
}
