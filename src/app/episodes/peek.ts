import { type TranscriptText, TOO_LONG, type TranscriptLines } from '../../core/ports/episodes.ts';

const LINES = 50;
const CHARACTERS = 1_000_000;

interface Given {
  readonly line: string | typeof TOO_LONG;
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

/** A transcript whose first lines may be looked at, and that still gives them. */
export class PeekedLines implements TranscriptLines {
  readonly #lines: TranscriptLines;
  readonly #given: Given[] = [];
  #current: Pick<Given, 'start' | 'end' | 'whole'>;

  constructor(lines: TranscriptLines) {
    this.#lines = lines;
    this.#current = { start: lines.start, end: lines.end, whole: true };
  }

  /** The first lines, read once before any other. */
  *heads(): Generator<string> {
    for (let [count, seen] = [0, 0]; count < LINES && seen < CHARACTERS;) {
      const line = this.#lines.next();
      if (line === undefined) return;
      const { start, end, whole } = this.#lines;
      this.#given.push({ line, start, end, whole });
      if (line === TOO_LONG) continue;
      count++;
      seen += line.length;
      yield line;
    }
  }

  next(): string | typeof TOO_LONG | undefined {
    const line = this.look();
    return typeof line === 'object' ? line.toString() : line;
  }

  look(): TranscriptText | typeof TOO_LONG | undefined {
    const given = this.#given.shift();
    if (given !== undefined) {
      this.#current = given;
      return given.line;
    }
    const line = this.#lines.look();
    this.#current = this.#lines;
    return line;
  }

  get start(): number {
    return this.#current.start;
  }

  get end(): number {
    return this.#current.end;
  }

  get whole(): boolean {
    return this.#current.whole;
  }

  anchor(place: number): string {
    return this.#lines.anchor(place);
  }

  close(): void {
    this.#lines.close();
  }
}
