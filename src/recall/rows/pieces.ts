import { analyze } from '../analyze.ts';
import { LARGEST_SIZE } from '../chunk-id.ts';

export interface Piece {
  readonly text: string;
  readonly terms: readonly string[];
}

/** Terms in a chunk: small enough that words in one chunk belong together, large enough to hold a thought. */
const TARGET = 30;
/** Characters after which a line without an end is cut at a space. */
const LONGEST_SEGMENT = 400;

const SEGMENT = /[^\n]*?(?:[.!?。！？](?=\s|$|[^\x00-\x7f])|\n|$)/gy;

/** A piece by where it ends; it begins where the one before it ends. */
export interface Cut {
  readonly end: number;
  readonly terms: readonly string[];
}

/** Cuts a text at ends of sentences and lines into pieces of about thirty terms. */
export function piecesOf(text: string): Piece[] {
  let start = 0;
  return cutsOf(text).map(({ end, terms }) => {
    const piece = { text: text.slice(start, end).trim(), terms };
    start = end;
    return piece;
  });
}

export function cutsOf(text: string): Cut[] {
  const cuts: Cut[] = [];
  let end = 0;
  let terms: string[] = [];
  const close = (): void => {
    if (terms.length > 0) cuts.push({ end, terms });
    terms = [];
  };
  for (const segment of segmentsOf(text)) {
    if (terms.length > 0 && terms.length + segment.terms.length > TARGET * 1.3) close();
    end = segment.to;
    terms = terms.concat(segment.terms);
    if (terms.length >= TARGET) close();
  }
  close();
  return cuts;
}

interface Segment {
  readonly to: number;
  readonly terms: readonly string[];
}

function* segmentsOf(text: string): Generator<Segment> {
  for (let from = 0; from < text.length;) {
    SEGMENT.lastIndex = from;
    const to = from + Math.max(1, SEGMENT.exec(text)?.[0].length ?? 0);
    yield* partsOf(text, from, to);
    from = to;
  }
}

/** A segment that is too long or holds too many terms in two, and each again. */
function* partsOf(text: string, from: number, to: number): Generator<Segment> {
  const terms = to - from > LONGEST_SEGMENT ? undefined : analyze(text.slice(from, to));
  if (terms !== undefined && (terms.length <= LARGEST_SIZE || to - from < 2)) {
    yield { to, terms };
    return;
  }
  const middle = spaceBefore(text, from, (from + to) >> 1);
  yield* partsOf(text, from, middle);
  yield* partsOf(text, middle, to);
}

function spaceBefore(text: string, from: number, limit: number): number {
  const space = text.lastIndexOf(' ', limit);
  return space > from ? space + 1 : limit;
}
