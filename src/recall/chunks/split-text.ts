import { analyzeInto } from '../text/analyze.ts';
import type { NewWords } from '../text/words.ts';

/**
 * A chunk's number encodes its unit (a session, record or document), its place there in terms from the start, its size in terms and its kind, so that
 * ranking needs nothing but the numbers of the matches. 53 bits, a safe integer.
 */
export const CHUNK_KINDS = ['prompt', 'reply', 'said', 'command', 'code', 'title', 'body', 'files'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

const KINDS = 8;
const SIZES = 64;
const PLACES = 2 ** 22;
const LOW = KINDS * SIZES;
export const UNIT_SPAN = LOW * PLACES;

export const LARGEST_SIZE = SIZES - 1;
export const LARGEST_PLACE = PLACES - 1;

export const chunkId = (unit: number, place: number, size: number, kind: ChunkKind): number =>
  unit * UNIT_SPAN + Math.min(place, LARGEST_PLACE) * LOW + Math.min(size, LARGEST_SIZE) * KINDS + KIND_NUMBER[kind];

export const unitOf = (id: number): number => Math.floor(id / UNIT_SPAN);
/** Everything below the unit fits into 31 bits: ranking reads it for every match, and bit operations are many times faster than remainders of large numbers. */
export const chunkPlace = (id: number): number => (id & (UNIT_SPAN - 1)) >>> 9;
export const chunkSize = (id: number): number => (id & (LOW - 1)) >>> 3;
export const chunkKind = (id: number): ChunkKind => CHUNK_KINDS[id & (KINDS - 1)] as ChunkKind;
/** The kind as a number, for loops over many. */
export const kindNumberOf = (id: number): number => id & (KINDS - 1);

export const KIND_NUMBER: Readonly<Record<ChunkKind, number>> = { prompt: 0, reply: 1, said: 2, command: 3, code: 4, title: 5, body: 6, files: 7 };

/** The range of numbers that chunks of the same unit within `distance` terms can have. */
export function stretchAround(id: number, distance: number): readonly [number, number] {
  const start = unitOf(id) * UNIT_SPAN;
  return [Math.max(start, id - (distance + SIZES) * LOW), Math.min(start + UNIT_SPAN - 1, id + (distance + chunkSize(id) + 1) * LOW)];
}

export interface TextChunk {
  readonly text: string;
  readonly terms: readonly string[];
}

/** Terms in a chunk: small enough that words in one chunk belong together, large enough to hold a thought. */
const TARGET = 30;
/** Characters after which a line without an end is cut at a space. */
const LONGEST_SEGMENT = 400;

const SEGMENT = /[^\n]*?(?:[.!?。！？](?=\s|$|[^\x00-\x7f])|\n|$)/y;

/** A chunk by its end; it begins where the previous one ends. */
export interface Cut {
  readonly end: number;
  readonly terms: readonly string[];
  /** The cut is within a word. */
  readonly torn: boolean;
}

/** Cuts a text at the ends of sentences and lines into chunks of about thirty terms. */
export function chunksOf(text: string, words?: NewWords): TextChunk[] {
  const chunks: TextChunk[] = [];
  let start = 0;
  for (const { end, terms, torn } of cutsOf(text, words)) {
    const chunk = { text: text.slice(start, end).trim(), terms };
    if (torn) words?.addSplitText(chunk.text);
    chunks.push(chunk);
    start = end;
  }
  return chunks;
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
  torn = false;

  constructor(text: string, words: NewWords | undefined) {
    this.#text = text;
    this.#words = words;
  }

  /** Adds a segment; halves it first, repeatedly, while it is too long or has too many terms. */
  segment(from: number, to: number, torn: boolean): void {
    if (to - from <= LONGEST_SEGMENT) {
      const known = this.#words?.runs.length ?? 0;
      const terms = analyzeInto(this.#text.slice(from, to), torn ? undefined : this.#words?.runs);
      if (terms.length <= LARGEST_SIZE || to - from < 2) return this.#add(to, terms, torn);
      this.#words?.forget(known);
    }
    const limit = (from + to) >> 1;
    // Search only within the segment: in a text without spaces, each search would go back to the start of the text.
    const space = this.#text.slice(from, limit + 1).lastIndexOf(' ');
    const isTorn = torn || space <= 0;
    const middle = space > 0 ? from + space + 1 : limit;
    this.segment(from, middle, isTorn);
    this.segment(middle, to, isTorn);
  }

  close(): void {
    if (this.#terms.length > 0) this.cuts.push({ end: this.#end, terms: this.#terms, torn: this.torn });
    this.#terms = [];
    this.torn = false;
  }

  #add(to: number, terms: string[], torn: boolean): void {
    if (this.#terms.length > 0 && this.#terms.length + terms.length > TARGET * 1.3) this.close();
    this.#end = to;
    if (torn) this.torn = true;
    if (this.#terms.length === 0) this.#terms = terms;
    else for (const term of terms) this.#terms.push(term);
    if (this.#terms.length >= TARGET) this.close();
  }
}
