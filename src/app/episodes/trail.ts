/** Where the last lines of a transcript begin: a reader that holds something back is given those again by the next import. */
export class ImportCursor {
  readonly #first: number;
  readonly #firstLine: number;
  #starts: number[] = [];
  #lines = 0;

  /** Reading begins at this place, with so many lines before it. */
  constructor(place: number, line: number) {
    this.#first = place;
    this.#firstLine = line;
  }

  add(start: number): void {
    this.#lines++;
    this.#starts.push(start);
  }

  get tracked(): number {
    return this.#starts.length;
  }

  /** Forgets what lies before the lines that are held. */
  trim(held: number): void {
    this.#starts = held >= this.#lines ? [] : this.#starts.slice(Math.max(0, this.#starts.length - held));
  }

  /** Where the next import goes on when the last `held` lines are needed again, and the number of lines before that place. */
  back(held: number, end: number): { readonly offset: number; readonly line: number } {
    if (held === 0) return { offset: end, line: this.#firstLine + this.#lines };
    const start = held >= this.#lines ? undefined : this.#starts[this.#starts.length - held];
    return start === undefined ? { offset: this.#first, line: this.#firstLine } : { offset: start, line: this.#firstLine + this.#lines - held };
  }
}
