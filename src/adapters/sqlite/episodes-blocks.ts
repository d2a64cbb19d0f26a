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

/** Appends the numbers of a block to a list. */
export function decodeSteps(bytes: Uint8Array, into: number[]): void {
  let id = 0;
  for (let at = 0; at < bytes.length;) {
    let byte = bytes[at++] as number;
    let step = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = bytes[at++] as number;
      step += (byte & 127) * scale;
    }
    id += step;
    into.push(id);
  }
}
