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

/** Decodes a block into a list from a place on; returns the place after the last number. */
export function decodeSteps(bytes: Uint8Array, into: Float64Array, from: number): number {
  const { length } = bytes;
  let id = 0;
  let place = from;
  for (let at = 0; at < length;) {
    let byte = bytes[at++] as number;
    let step = byte & 127;
    // Shifts are fast but limited to 31 bits; the few larger steps use multiplication.
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

/** Bytes per term: the chance of a collision is one in sixteen million, and it would change a rank only slightly. */
const WIDTH = 3;
const MASK = 0xff_ff_ff;

/** A number for a term, the same in every process. */
export function printOf(term: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 16_777_619);
  return (hash ^ (hash >>> 24)) & MASK;
}

/** The term numbers of a chunk in order, so that neighbouring terms are known without reading and analysing its text. */
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

/** Translates stored orders into places among the given terms, with -1 for any other term. */
export function orderReader(terms: readonly string[]): (bytes: Uint8Array) => Int32Array {
  const places = new Map(terms.map((term, place) => [printOf(term), place]));
  return (bytes) => {
    const termPlaces = new Int32Array(bytes.length / WIDTH);
    for (let nth = 0, at = 0; nth < termPlaces.length; nth++, at += WIDTH) {
      termPlaces[nth] = places.get((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16)) ?? -1;
    }
    return termPlaces;
  };
}
