import { analyzeNoting } from '../text/analyze.ts';
import { LARGEST_SIZE } from './chunk-id.ts';
import type { NewWords } from '../text/words.ts';

export interface TextChunk {
  readonly text: string;
  readonly terms: readonly string[];
}

/** Terms in a chunk: small enough that words in one chunk belong together, large enough to hold a thought. */
const TARGET = 30;
/** Characters after which a line without an end is cut at a space. */
const LONGEST_SEGMENT = 400;

const SEGMENT = /[^\n]*?(?:[.!?。！？](?=\s|$|[^\x00-\x7f])|\n|$)/y;

/** A piece by where it ends; it begins where the one before it ends. */
export interface Cut {
  readonly end: number;
  readonly terms: readonly string[];
  /** It was cut within a word. */
  readonly torn: boolean;
}

/** Cuts a text at ends of sentences and lines into pieces of about thirty terms. */
export function chunksOf(text: string, words?: NewWords): TextChunk[] {
  const pieces: TextChunk[] = [];
  let start = 0;
  for (const { end, terms, torn } of cutsOf(text, words)) {
    const piece = { text: text.slice(start, end).trim(), terms };
    if (torn) words?.torn(piece.text);
    pieces.push(piece);
    start = end;
  }
  return pieces;
}

export function cutsOf(text: string, words?: NewWords): readonly Cut[] {
  const cutter = new Cutter(text, words);
  for (let from = 0; from < text.length;) {
    SEGMENT.lastIndex = from;
    const to = Math.max(from + 1, SEGMENT.test(text) ? SEGMENT.lastIndex : 0);
    cutter.segment(from, to, false);
    from = to;
  }
  cutter.close();
  return cutter.cuts;
}

class Cutter {
  readonly cuts: Cut[] = [];
  readonly #text: string;
  readonly #words: NewWords | undefined;
  #end = 0;
  #terms: string[] = [];
  #torn = false;

  constructor(text: string, words: NewWords | undefined) {
    this.#text = text;
    this.#words = words;
  }

  /** Adds a segment; one that is too long or holds too many terms in two, and each again. */
  segment(from: number, to: number, torn: boolean): void {
    if (to - from <= LONGEST_SEGMENT) {
      const known = this.#words?.runs.length ?? 0;
      const terms = analyzeNoting(this.#text.slice(from, to), torn ? undefined : this.#words?.runs);
      if (terms.length <= LARGEST_SIZE || to - from < 2) return this.#add(to, terms, torn);
      this.#words?.forget(known);
    }
    const limit = (from + to) >> 1;
    // Only within the segment: in a text without spaces each search would go back to its start.
    const space = this.#text.slice(from, limit + 1).lastIndexOf(' ');
    const isTorn = torn || space <= 0;
    const middle = space > 0 ? from + space + 1 : limit;
    this.segment(from, middle, isTorn);
    this.segment(middle, to, isTorn);
  }

  close(): void {
    if (this.#terms.length > 0) this.cuts.push({ end: this.#end, terms: this.#terms, torn: this.#torn });
    this.#terms = [];
    this.#torn = false;
  }

  #add(to: number, terms: string[], torn: boolean): void {
    if (this.#terms.length > 0 && this.#terms.length + terms.length > TARGET * 1.3) this.close();
    this.#end = to;
    if (torn) this.#torn = true;
    if (this.#terms.length === 0) this.#terms = terms;
    else for (const term of terms) this.#terms.push(term);
    if (this.#terms.length >= TARGET) this.close();
  }
}
