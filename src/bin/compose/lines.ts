import { Buffer } from 'node:buffer';

/** More than any call needs; a line without an end must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

/** Cuts a stream of bytes into lines; one that is too long is passed over. */
export class LineReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  push(chunk: Buffer): readonly string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#take(chunk.subarray(from, at));
      const line = Buffer.concat(this.#parts).toString('utf8').trim();
      if (!this.#skipping && line !== '') lines.push(line);
      this.#parts = [];
      this.#bytes = 0;
      this.#skipping = false;
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    return lines;
  }

  #take(part: Buffer): void {
    if (part.length === 0 || this.#skipping) return;
    this.#bytes += part.length;
    if (this.#bytes <= LONGEST) this.#parts.push(part);
    else {
      this.#skipping = true;
      this.#parts = [];
    }
  }
}
