import type { Message } from '../../core/episode.ts';
import { transcriptLines } from './lines.ts';

const AROUND = 10;
const FIRST = 80;
const LAST = 200;

export interface Excerpt {
  /** Number of its first line in the session, from 0. */
  readonly start: number;
  readonly lines: readonly string[];
}

interface Numbered {
  readonly number: number;
  readonly text: string;
}

/** Collects, while a session goes by, what stands around places of interest and how the session began and ended. */
export class Excerpts {
  readonly #first: string[] = [];
  #last: string[] = [];
  #recent: Numbered[] = [];
  #growing: { readonly until: number; readonly lines: Numbered[] }[] = [];
  #count = 0;

  get first(): readonly string[] {
    return this.#first;
  }

  /** The last lines, without those that are among the first. */
  get last(): readonly string[] {
    const room = Math.min(LAST, this.#count - this.#first.length);
    return room === 0 ? [] : this.#last.slice(-room);
  }

  /** Takes a message in; for each of the given lines of it, what stands around that line once the session has gone on. */
  add(message: Message, wanted: readonly number[]): readonly (() => Excerpt)[] {
    const lines = transcriptLines(message).map((line) => ({ ...line, number: this.#count++ }));
    for (const line of lines) this.#take(line);
    const before = this.#recent;
    this.#recent = [...before, ...lines].slice(-AROUND);
    return wanted.map((nth) => {
      const at = (lines.find((line) => line.line === nth) ?? lines[0])?.number ?? this.#count;
      const around: Numbered[] = [...before, ...lines].filter((line) => line.number >= at - AROUND && line.number <= at + AROUND);
      this.#growing.push({ until: at + AROUND, lines: around });
      return () => ({ start: around[0]?.number ?? at, lines: around.map((line) => line.text) });
    });
  }

  #take(line: Numbered): void {
    if (this.#first.length < FIRST) this.#first.push(line.text);
    this.#last.push(line.text);
    if (this.#last.length > LAST * 2) this.#last = this.#last.slice(-LAST);
    for (const open of this.#growing) if (line.number <= open.until) open.lines.push(line);
    this.#growing = this.#growing.filter((open) => open.until > line.number);
  }
}

/** Excerpts that touch become one; in the order of the session. */
export function joinExcerpts(excerpts: readonly Excerpt[]): Excerpt[] {
  const joined: { start: number; lines: string[] }[] = [];
  for (const { start, lines } of excerpts.toSorted((a, b) => a.start - b.start)) {
    const open = joined.at(-1);
    const end = open === undefined ? -1 : open.start + open.lines.length;
    if (open === undefined || start > end) joined.push({ start, lines: [...lines] });
    else open.lines.push(...lines.slice(end - start));
  }
  return joined;
}
