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
