import { Buffer } from 'node:buffer';

/** More than any call needs; a line without an end must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

/** What is kept of a line that is too long: enough to find the id of a request at either end. */
const ENDS = 1_024;

/** Cuts a stream of bytes into lines; one that is too long is passed over, and its two ends are told. */
export class LineReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #head = '';
  #tail = Buffer.alloc(0);
  readonly #tooLong: (head: string, tail: string) => void;

  constructor(tooLong: (head: string, tail: string) => void = () => {}) {
    this.#tooLong = tooLong;
  }

  push(chunk: Buffer): readonly string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#take(chunk.subarray(from, at));
      if (this.#skipping) this.#tooLong(this.#head, this.#tail.toString('utf8'));
      const line = Buffer.concat(this.#parts).toString('utf8').trim();
      if (line !== '') lines.push(line);
      this.#parts = [];
      this.#bytes = 0;
      this.#skipping = false;
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    return lines;
  }

  #take(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= LONGEST) this.#parts.push(part);
    else {
      if (!this.#skipping) this.#head = (this.#parts[0] ?? part).subarray(0, ENDS).toString('utf8');
      this.#skipping = true;
      this.#parts = [];
      this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-ENDS)]).subarray(-ENDS));
    }
  }
}
