/** A set of ASCII characters, read by code. */
export type CharSet = Uint8Array;

const ranges = (spec: string): string =>
  spec.replace(/(.)\.\.(.)/g, (_, from: string, to: string) => {
    let out = '';
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) out += String.fromCharCode(code);
    return out;
  });

const charSet = (spec: string): CharSet => {
  const set = new Uint8Array(128);
  for (const char of ranges(spec)) set[char.charCodeAt(0)] = 1;
  return set;
};

export const DECIMAL = charSet('0..9');
export const HEX = charSet('0..9a..fA..F');
export const ALNUM = charSet('0..9A..Za..z');
export const UPPER = charSet('0..9A..Z');
/** Letters, digits and the underscore. */
export const WORD = charSet('0..9A..Za..z_');
/** base64url without padding. */
export const URL64 = charSet('0..9A..Za..z_-');
export const DOTTED = charSet('0..9A..Za..z_.-');
/** Either base64 alphabet, with padding. */
export const BASE64 = charSet('0..9A..Za..z_+/=-');
const STANDARD64 = charSet('0..9A..Za..z+/');
const BLOB = 60;
/** base64url with percent escapes. */
export const ESCAPED = charSet('0..9A..Za..z_%-');

const has = (set: CharSet, code: number): boolean => code < 128 && set[code] === 1;

/** Where the run of `set` that begins at `from` ends, looking no further than `limit`. */
export const runEnd = (text: string, from: number, set: CharSet, limit: number = text.length): number => {
  const last = Math.min(limit, text.length);
  let i = from;
  while (i < last && has(set, text.charCodeAt(i))) i++;
  return i;
};

/** Where the run of `set` that ends before `to` begins, looking back `reach` characters at most. */
export const runStart = (text: string, to: number, set: CharSet, reach: number): number => {
  const first = Math.max(0, to - reach);
  let i = to;
  while (i > first && has(set, text.charCodeAt(i - 1))) i--;
  return i;
};

const COLOUR = /\u001b\[[0-9;]{0,12}m$/;

/** Ends an escape here: `\n`, `%3D`, `\u003d`, a terminal's colour. */
const escapeBefore = (text: string, at: number): boolean =>
  (text[at - 2] === '\\' && /[nrtbfv]/.test(text[at - 1] ?? '')) ||
  (text[at - 3] === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at))) ||
  (text[at - 6] === '\\' && /^u[0-9A-Fa-f]{4}$/.test(text.slice(at - 5, at))) ||
  (text[at - 1] === 'm' && COLOUR.test(text.slice(Math.max(0, at - 16), at)));

/** A slash or plus inside a long base64 run, as in an image, is no edge. */
const insideBlob = (text: string, at: number): boolean =>
  /[+/]/.test(text[at - 1] ?? '') &&
  /[A-Z][^A-Z]*[0-9]|[0-9][^0-9]*[A-Z]/.test(text.slice(at - BLOB, at)) &&
  at - runStart(text, at, STANDARD64, BLOB) === BLOB;

/** May a token begin here: after no letter or digit, after an escape such as `\n` in a quoted text, or where another token ended. */
export const mayBegin = (text: string, at: number, edge: number): boolean =>
  at === 0 || at === edge || (!has(ALNUM, text.charCodeAt(at - 1)) && !insideBlob(text, at)) || escapeBefore(text, at);
