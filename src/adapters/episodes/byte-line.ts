import { isAscii } from 'node:buffer';
import type { TranscriptText } from '../../core/ports/episodes.ts';

/** Most lines are plain ASCII, which needs no decoding. */
const decode = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');

/** A line in the bytes that were read: looked through as it lies there, decoded only where it is asked for. What is looked for is ASCII. */
export class ByteLine implements TranscriptText {
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = bytes.length;
  }

  indexOf(text: string, from = 0): number {
    return this.#bytes.indexOf(text, from, 'latin1');
  }

  lastIndexOf(text: string, from = this.length): number {
    return this.#bytes.lastIndexOf(text, from, 'latin1');
  }

  includes(text: string, from = 0): boolean {
    return this.indexOf(text, from) >= 0;
  }

  endsWith(text: string): boolean {
    return this.slice(Math.max(0, this.length - text.length)) === text;
  }

  slice(from: number, to = this.length): string {
    return decode(this.#bytes.subarray(from, to));
  }

  toString(): string {
    return decode(this.#bytes);
  }
}
