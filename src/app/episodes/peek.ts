import { TOO_LONG, type TranscriptLines } from '../../core/ports/episodes.ts';

const LINES = 50;
const CHARACTERS = 1_000_000;

interface Given {
  readonly line: string | typeof TOO_LONG;
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

/** A transcript whose first lines were looked at, and that still gives them. */
export class PeekedLines implements TranscriptLines {
  readonly head: readonly string[];
  readonly #lines: TranscriptLines;
  readonly #given: Given[] = [];
  #current: Pick<Given, 'start' | 'end' | 'whole'>;

  constructor(lines: TranscriptLines) {
    this.#lines = lines;
    this.#current = { start: lines.start, end: lines.end, whole: true };
    const head: string[] = [];
    for (let seen = 0; head.length < LINES && seen < CHARACTERS;) {
      const line = lines.next();
      if (line === undefined) break;
      const { start, end, whole } = lines;
      this.#given.push({ line, start, end, whole });
      if (line === TOO_LONG) continue;
      head.push(line);
      seen += line.length;
    }
    this.head = head;
    this.#given.reverse();
  }

  next(): string | typeof TOO_LONG | undefined {
    const given = this.#given.pop();
    if (given !== undefined) {
      this.#current = given;
      return given.line;
    }
    const line = this.#lines.next();
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
