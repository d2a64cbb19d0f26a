export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const OPENING = /(?:[rbufRBUF@]{0,2})(\\{0,7})(["'`])/y;
/** An escape that ends a line or a string when the text itself is quoted inside another. */
const escapeEnds = (text: string, at: number): boolean => /^\\+(?:[nrt"'`]|u00[0-9a-f]{2}|$)/i.test(text.slice(at, at + 8));

/** The closing quote carries as many backslashes as the opening one; a line end before it leaves the value open. */
const quotedEnd = (text: string, from: number, slashes: number, quote: string, limit: number): number => {
  for (let i = from; i < limit; i++) {
    const char = text[i];
    if (char === '\n' || char === '\r') return i;
    // A quote with fewer backslashes closes the text around this one.
    if (char === quote) return i;
    if (char !== '\\') continue;
    let run = i;
    while (text[run] === '\\') run++;
    const count = run - i;
    if (text[run] === quote && count === slashes) return i;
    if (slashes > 0 && count >= slashes && /[nr]/.test(text[run] ?? '')) return i;
    // An escaped character belongs to the value.
    i = slashes === 0 ? i + count + (count % 2) - 1 : run - 1;
  }
  return limit;
};

const SPACE = 1;
const QUOTE = 2;
const CODE = 4;
const LINE_END = 8;
/** Ends the value only when more of its kind follows. */
const PERHAPS = 16;

const STOPS = new Uint8Array(128);
const mark = (chars: string, as: number): void => {
  for (const char of chars) STOPS[char.charCodeAt(0)] = (STOPS[char.charCodeAt(0)] ?? 0) | as;
};
mark(' \t\v\f\n\r', SPACE);
mark('\n\r"`', LINE_END);
mark('"\'`<>', QUOTE);
mark(',;)]}', CODE);
mark(';&\\', PERHAPS);

/** In a query or a connection string the next pair begins here; in HTML an entity closes the value. */
const pairFollows = (text: string, at: number): boolean => /^(?:[;&](?:amp;)?[\w .-]{1,30}=|&(?:quot|lt|gt|apos|nbsp|#\d{1,4});)/.test(text.slice(at, at + 40));

/** How far a bare value reaches: to the next mark of code, to white space, or to the end of its line. */
export type Extent = 'code' | 'word' | 'line';

const STOPS_OF: Readonly<Record<Extent, number>> = { code: SPACE | QUOTE | CODE, word: SPACE | QUOTE, line: LINE_END };

const bareEnd = (text: string, from: number, extent: Extent, limit: number): number => {
  const stops = STOPS_OF[extent];
  let i = from;
  for (; i < limit; i++) {
    const code = text.charCodeAt(i);
    const stop = code < 128 ? (STOPS[code] ?? 0) : code === 0xa0 ? SPACE : 0;
    if ((stop & stops) !== 0) break;
    if ((stop & PERHAPS) !== 0 && (text[i] === '\\' ? escapeEnds(text, i) : pairFollows(text, i))) break;
  }
  while (i > from && /[\s,;.]/.test(text[i - 1] ?? '')) i--;
  return i;
};

/** The value that begins at `from`, read up to `limit`. */
export const readValue = (text: string, from: number, extent: Extent, limit: number = text.length): Value | undefined => {
  const last = Math.min(limit, text.length);
  OPENING.lastIndex = from;
  const opening = OPENING.exec(text);
  const start = from + (opening?.[0].length ?? 0);
  const end = opening === null ? bareEnd(text, from, extent, last) : quotedEnd(text, start, opening[1]?.length ?? 0, opening[2] ?? '"', last);
  return end > start ? { start, end, quoted: opening !== null } : undefined;
};
