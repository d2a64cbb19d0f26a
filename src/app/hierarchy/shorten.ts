import { compress } from './compress.ts';
import { charactersIn, firstCharacters, isLongerThan } from './size.ts';

export interface Shortened {
  readonly text: string;
  /** What was left out, in a sentence; absent when nothing was. */
  readonly notice?: string;
}

const noticeFor = (file: string, whole: number, limit: number): string =>
  `${file} has ${whole} characters and maxMemorySize is ${limit}: only a part of it is loaded. Read the file for the rest, or shorten it.`;

/** A layer as it is loaded: whole up to the limit; above it logs and histories go first, then the end, and a notice says so. */
export function shortenLayer(text: string, limit: number, file: string): Shortened {
  if (!isLongerThan(text, limit)) return { text };
  const notice = noticeFor(file, charactersIn(text), limit);
  const tail = `\n\n> ${notice}`;
  const room = Math.max(0, limit - charactersIn(tail));
  const compressed = compress(text).text;
  if (!isLongerThan(compressed, room)) return { text: compressed.trimEnd() + tail, notice };
  const cut = firstCharacters(compressed, room);
  // A line is kept whole or not at all, unless it is the only one.
  const end = cut.lastIndexOf('\n');
  return { text: (end > 0 ? cut.slice(0, end) : cut).trimEnd() + tail, notice };
}
