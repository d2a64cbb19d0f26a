/** The place of a secret in a text, without its value. */
export interface Redaction {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** The kind of a `<private>` span, which is removed without a mark. */
export const PRIVATE = 'private';

/** The kind of a span that looks like a secret and is known to be none; the scan skips it. */
export const HARMLESS = '';

export const replacement = (kind: string): string => (kind === PRIVATE ? '[private]' : `[redacted:${kind}]`);

/** Kinds that are recognised only by a name beside the value; a token with a format of its own is more specific. */
const NAMED_ONLY: ReadonlySet<string> = new Set([
  'password',
  'passphrase',
  'secret',
  'token',
  'api-key',
  'credential',
  'authorization',
  'session-cookie',
  'wallet-key',
]);

const better = (left: Redaction, right: Redaction): string => {
  if (left.kind === PRIVATE || right.kind === PRIVATE) return PRIVATE;
  return NAMED_ONLY.has(left.kind) ? right.kind : left.kind;
};

/** Sorted, without overlaps; touching spans stay apart so that each keeps its kind. */
export const merge = (spans: readonly Redaction[]): Redaction[] => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const out: Redaction[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last === undefined || span.start >= last.end) out.push(span);
    else out[out.length - 1] = { kind: better(last, span), start: last.start, end: Math.max(last.end, span.end) };
  }
  return out;
};

const MARK = /\[(?:redacted:[a-z0-9-]{1,40}|private)\]/g;

export const hasMark = (text: string): boolean => text.search(MARK) >= 0;

/** Protects marks of earlier redactions: a span does not begin or end inside one, and a span of nothing but marks is dropped. */
export const outsideMarks = (text: string, spans: readonly Redaction[]): readonly Redaction[] => {
  if (spans.length === 0 || !hasMark(text)) return spans;
  const marks = Array.from(text.matchAll(MARK), (mark) => ({ start: mark.index, end: mark.index + mark[0].length }));
  const out: Redaction[] = [];
  let next = 0;
  for (const span of spans) {
    while (next < marks.length && (marks[next]?.end ?? 0) <= span.start) next++;
    let { start, end } = span;
    let covered = 0;
    for (let i = next; i < marks.length; i++) {
      const mark = marks[i];
      if (mark === undefined || mark.start >= end) break;
      if (mark.start < start) start = mark.end;
      else if (mark.end > end) end = mark.start;
      else covered += mark.end - mark.start;
    }
    if (end - start > covered) out.push({ kind: span.kind, start, end });
  }
  return out;
};

export const apply = (text: string, spans: readonly Redaction[]): string => {
  let out = '';
  let from = 0;
  for (const span of spans) {
    out += text.slice(from, span.start) + replacement(span.kind);
    from = span.end;
  }
  return out + text.slice(from);
};

/** Converts spans in `apply(text, done)` to offsets in `text`; spans inside a replacement are dropped. */
export const carryBack = (spans: readonly Redaction[], done: readonly Redaction[]): Redaction[] => {
  const out: Redaction[] = [];
  let next = 0;
  let shift = 0;
  const widthOf = (old: Redaction): number => replacement(old.kind).length;
  const pass = (until: (from: number, to: number) => boolean): Redaction | undefined => {
    for (let old = done[next]; old !== undefined; old = done[++next]) {
      const from = old.start + shift;
      if (!until(from, from + widthOf(old))) return old;
      shift += widthOf(old) - (old.end - old.start);
    }
    return undefined;
  };
  for (const span of merge(spans)) {
    const first = pass((_, to) => to <= span.start);
    const insideFirst = first !== undefined && first.start + shift <= span.start;
    if (insideFirst && first.start + shift + widthOf(first) >= span.end) continue;
    const start = insideFirst ? first.start : span.start - shift;
    const last = pass((_, to) => to <= span.end);
    const insideLast = last !== undefined && last.start + shift < span.end;
    out.push({ kind: span.kind, start, end: insideLast ? last.end : span.end - shift });
  }
  return out;
};

/** A set of ASCII characters, indexed by code. */
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

/** The end of the run of `set` that begins at `from`, at most `limit`. */
export const runEnd = (text: string, from: number, set: CharSet, limit: number = text.length): number => {
  const last = Math.min(limit, text.length);
  let i = from;
  while (i < last && has(set, text.charCodeAt(i))) i++;
  return i;
};

/** The start of the run of `set` that ends before `to`, at most `limit` characters before. */
export const runStart = (text: string, to: number, set: CharSet, limit: number): number => {
  const first = Math.max(0, to - limit);
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

/** Whether a slash or plus is inside a long base64 run, as in an image, so that it is no edge. */
const insideBlob = (text: string, at: number): boolean =>
  /[+/]/.test(text[at - 1] ?? '') &&
  /[A-Z][^A-Z]*[0-9]|[0-9][^0-9]*[A-Z]/.test(text.slice(at - BLOB, at)) &&
  at - runStart(text, at, STANDARD64, BLOB) === BLOB;

/** Whether a token may begin here: not after a letter or digit, except after an escape such as `\n` in a quoted text or at the end of another token. */
export const mayBegin = (text: string, at: number, edge: number): boolean =>
  at === 0 || at === edge || (!has(ALNUM, text.charCodeAt(at - 1)) && !insideBlob(text, at)) || escapeBefore(text, at);
