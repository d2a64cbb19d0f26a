import { DOTTED, runStart } from './span.ts';
import { secretKindOf, secretLabel, NAME_END, SHOUTED, type SecretKind, type ValueContext, isSecret, JUDGED } from './judge.ts';
import { type Assignment, endOfMatch, assignmentAt } from './assignment.ts';
import type { Rule } from './scan.ts';

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const OPENING = /(?:[rbufRBUF@]{0,2})(\\{0,7})(["'`])/y;
/** An escape that ends a line or a string in a text that is quoted inside another. */
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
/** A separator that ends the value only if more values follow. */
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

/** The end of a bare value: the next mark of code, white space, or the end of its line. */
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
const readValue = (text: string, from: number, extent: Extent, limit: number = text.length): Value | undefined => {
  const last = Math.min(limit, text.length);
  OPENING.lastIndex = from;
  const opening = OPENING.exec(text);
  const start = from + (opening?.[0].length ?? 0);
  const end = opening === null ? bareEnd(text, from, extent, last) : quotedEnd(text, start, opening[1]?.length ?? 0, opening[2] ?? '"', last);
  return end > start ? { start, end, quoted: opening !== null } : undefined;
};

const WORDS = /pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|key|credentials?|auth/iy;
/** Characters of a name that are read before its keyword. */
const LONGEST_NAME_PREFIX = 64;

/** Text before a name that begins a line of configuration: indentation, a list mark, a diff mark, a line number, `export`. */
const LINE_OPENER =
  /(?:^|[\n\r]|\\n|\\r)[ \t]*(?:\d{1,6}[→:|\t])?[ \t]*[-+>#$*!|]?[ \t]*(?:\*\*|__)?(?:(?:export|set|setx|ENV|ARG|env|declare -x|-e|--env)[ \t]+)?["']?$/;

const lineOpens = (text: string, nameAt: number): boolean => nameAt === 0 || LINE_OPENER.test(text.slice(Math.max(0, nameAt - 48), nameAt));

/** Flags and diff marks are no part of a name, nor is the letter of an escape such as `\n`, which belongs to the line before. */
const nameStart = (text: string, at: number): number => {
  let start = runStart(text, at, DOTTED, LONGEST_NAME_PREFIX);
  if (start < at && text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '')) start++;
  while (start < at && /[-.]/.test(text[start] ?? '')) start++;
  return start;
};

/** A bare lower-case word that ends a configuration line: a value after `name=`, and after `name: ` when the name says password. */
const plainWord = (text: string, end: number, value: Value, claim: SecretKind): boolean =>
  ((text[end] === '=' && value.start === end + 1) || claim === 'password') &&
  /^[a-z]{6,}$/.test(text.slice(value.start, value.end)) &&
  /^(?:$|[\n\r]|\\[nr"])/.test(text.slice(value.end, value.end + 2));

/** In a line of configuration only white space ends a value, and not even that ends a passphrase. */
const extentOf = (assignment: Assignment, opensLine: boolean, claim: SecretKind): Extent => {
  if (!opensLine || (assignment.form !== 'bare' && assignment.form !== 'env')) return assignment.extent;
  return claim === 'passphrase' ? 'line' : 'word';
};

/** `API key` in two words, and the `key` of a query. */
const fullName = (text: string, name: string, nameAt: number): string => {
  if (!/^keys?$/i.test(name)) return name;
  if (/[?&]/.test(text[nameAt - 1] ?? '')) return `api_${name}`;
  const word = /([A-Za-z]{2,14}) $/.exec(text.slice(Math.max(0, nameAt - 16), nameAt))?.[1];
  return word === undefined ? name : `${word} ${name}`;
};

/** A secret recognised by the name beside it. */
export const named: Rule = {
  anchors: ['pass', 'pwd', 'pw:', 'pw=', 'pw"', 'secret', 'token', 'key', 'credential', 'auth'],
  anyCase: true,
  named: true,
  match: (text, at) => {
    const word = endOfMatch(WORDS, text, at);
    const end = word < 0 ? -1 : endOfMatch(NAME_END, text, word);
    if (end < 0) return undefined;
    const nameAt = nameStart(text, at);
    const name = fullName(text, text.slice(nameAt, end), nameAt);
    const claim = secretKindOf(name);
    if (claim === undefined) return undefined;
    const assignment = assignmentAt(text, name, nameAt, end);
    if (assignment === undefined) return undefined;
    const opensLine = lineOpens(text, nameAt);
    const extent = extentOf(assignment, opensLine, claim);
    // Judge the beginning before searching for the end, so that a value that is no secret costs little.
    const value = readValue(text, assignment.at, extent, assignment.at + JUDGED);
    if (value === undefined) return undefined;
    const env =
      assignment.form === 'bare' &&
      ((SHOUTED.test(name) && text[end] === '=' && assignment.at === end + 1) || (opensLine && plainWord(text, end, value, claim)));
    const form: ValueContext =
      assignment.form !== 'bare' && assignment.form !== 'env' ? assignment.form : value.quoted ? 'quoted' : env ? 'env' : assignment.form;
    if (!isSecret(text.slice(value.start, value.end), claim, form)) return undefined;
    const full = readValue(text, assignment.at, extent) ?? value;
    return { kind: secretLabel(claim, name, text.slice(full.start, full.end)), start: full.start, end: full.end };
  },
};
