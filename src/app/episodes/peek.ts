import { type TranscriptText, TOO_LONG, type TranscriptLines } from '../../core/ports/episodes.ts';

const MOST_LINES = 50;
const MOST_CHARACTERS = 1_000_000;

interface PeekedLine {
  readonly line: string | typeof TOO_LONG;
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

/** A transcript whose first lines can be read ahead without losing them. */
export class PeekedLines implements TranscriptLines {
  readonly #lines: TranscriptLines;
  readonly #peeked: PeekedLine[] = [];
  #current: Pick<PeekedLine, 'start' | 'end' | 'whole'>;

  constructor(lines: TranscriptLines) {
    this.#lines = lines;
    this.#current = { start: lines.start, end: lines.end, whole: true };
  }

  /** The first lines; call it once, before reading. */
  *firstLines(): Generator<string> {
    for (let [count, characters] = [0, 0]; count < MOST_LINES && characters < MOST_CHARACTERS;) {
      const line = this.#lines.next();
      if (line === undefined) return;
      const { start, end, whole } = this.#lines;
      this.#peeked.push({ line, start, end, whole });
      if (line === TOO_LONG) continue;
      count++;
      characters += line.length;
      yield line;
    }
  }

  next(): string | typeof TOO_LONG | undefined {
    const line = this.look();
    return typeof line === 'object' ? line.toString() : line;
  }

  look(): TranscriptText | typeof TOO_LONG | undefined {
    const peeked = this.#peeked.shift();
    if (peeked !== undefined) {
      this.#current = peeked;
      return peeked.line;
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
