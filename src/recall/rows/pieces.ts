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

/** Cuts a text at ends of sentences and lines into pieces of about thirty terms. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let end = 0;
  let terms: string[] = [];
  const close = (): void => {
    if (terms.length > 0) pieces.push({ text: text.slice(start, end).trim(), terms });
    start = end;
    terms = [];
  };
  for (const [from, to] of segmentsOf(text)) {
    const found = analyze(text.slice(from, to));
    if (terms.length > 0 && terms.length + found.length > TARGET * 1.3) close();
    end = to;
    for (let at = 0; at < found.length; at += LARGEST_SIZE) {
      if (at > 0) close();
      terms = terms.concat(found.slice(at, at + LARGEST_SIZE)).slice(0, LARGEST_SIZE);
    }
    if (terms.length >= TARGET) close();
  }
  close();
  return pieces;
}

function* segmentsOf(text: string): Generator<readonly [number, number]> {
  let from = 0;
  while (from < text.length) {
    SEGMENT.lastIndex = from;
    const length = SEGMENT.exec(text)?.[0].length ?? 0;
    const to = length === 0 ? from + 1 : from + length;
    for (let at = from; at < to;) {
      const cut = to - at <= LONGEST_SEGMENT ? to : spaceBefore(text, at, at + LONGEST_SEGMENT);
      yield [at, cut];
      at = cut;
    }
    from = to;
  }
}

function spaceBefore(text: string, from: number, limit: number): number {
  const space = text.lastIndexOf(' ', limit);
  return space > from ? space + 1 : limit;
}
