import { endOfMatch } from './assignment.ts';
import { encodedPair, restlessness, looksRandom } from './judge.ts';
import { isPlaceholderWord, isExample, isReference } from './placeholder.ts';
import type { Rule } from './scan.ts';
import { type Redaction, PRIVATE } from './span.ts';

const VALUE = /[^\s"'`<>,;\\)\]}]{6,256}/y;
const REST = /[^\s"'`<>,;\\)\]}]*/y;
const SCHEME = /(?:bearer|basic|token|apikey|api-key|key|digest|negotiate|bot|jwt)(?:[ \t]{1,4}|%20|\+)(?=[^\s"'`])/iy;
const HEADER = /(?:proxy-)?authorization\\{0,3}["'`]?\]?[ \t]{0,8}(?:[:=,]|=>)[ \t]{0,8}[fbr]?\\{0,3}["'`]?/iy;

const written = (value: string): boolean => !isPlaceholderWord(value) && !isReference(value) && !isExample(value) && !/^[[({$<%]|[({]$/.test(value);

/** Letters of both cases or digits mixed in: not a word of the sentence that speaks about bearer tokens. */
const opaque = (value: string): boolean => value.length >= 16 && /[0-9]|[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) && restlessness(value) >= 0.1;

const span = (text: string, start: number, isSecret: (value: string) => boolean): ReturnType<Rule['match']> => {
  const end = endOfMatch(VALUE, text, start);
  if (end < 0) return undefined;
  const value = text.slice(start, end);
  return written(value) && isSecret(value) ? { kind: 'authorization', start, end: endOfMatch(REST, text, end) } : undefined;
};

/** `Authorization: <scheme> <credentials>`: the scheme stays. */
const header: Rule = {
  anchors: ['authorization'],
  anyCase: true,
  named: true,
  match: (text, at) => {
    const opened = endOfMatch(HEADER, text, at);
    if (opened < 0) return undefined;
    const schemed = endOfMatch(SCHEME, text, opened);
    return schemed < 0 ? span(text, opened, opaque) : span(text, schemed, (value) => !/^[a-z]+(?:[-_.][a-z]+)*$/i.test(value) || restlessness(value) >= 0.2);
  },
};

const scheme = (anchor: string, isSecret: (value: string) => boolean): Rule => ({
  anchors: [anchor],
  anyCase: true,
  named: true,
  match: (text, at) => {
    const schemed = /[A-Za-z0-9]/.test(text[at - 1] ?? '') && !/\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at)) ? -1 : endOfMatch(SCHEME, text, at);
    return schemed < 0 ? undefined : span(text, schemed, isSecret);
  },
});

export const HEADER_RULES: readonly Rule[] = [header, scheme('bearer', opaque), scheme('basic', encodedPair)];

const TAG = /(?:<|\\u003c)(\/?)private(?:>|\\u003e)/gi;
/** Begins with a whole word, so most of a text is skipped. */
const ANY = /private[>\\]/i;

/** The passages between `<private>` and `</private>`, nested or never closed, tags included. */
export const privateSpans = (text: string): Redaction[] => {
  if (!ANY.test(text)) return [];
  const spans: Redaction[] = [];
  const addOutermost = (start: number, end: number): void => {
    while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
    spans.push({ kind: PRIVATE, start, end });
  };
  const open: number[] = [];
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (slash === '') open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) addOutermost(start, index + tag.length);
    }
  }
  // `Local<Private>` in code is a type, not a tag that was never closed.
  const unclosed = open.find((start) => !/\w/.test(text[start - 1] ?? ''));
  if (unclosed !== undefined) addOutermost(unclosed, text.length);
  return spans;
};

/** `Set-Cookie: a=b; c=d`, `"cookie": "a=b"`, `--cookie "a=b"`. */
const COOKIE_HEADER = /cookies?(?:\\{0,3}["'])?(?:[ \t]{0,8}[:=][ \t]{0,8}|[ \t]{1,4})\\{0,3}["'`]?(?=[\w.-]{1,64}=)/iy;
const PAIR = /([\w.-]{1,64})=([^\s;,"'`<>\\=]{0,1024}={0,2})(?:;[ \t]{0,4})?/y;
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|version)$/i;
const MOST_PAIRS = 40;
/** Shorter ones, and those that hold words or a date, are settings. */
const LEAST = 20;

const isSession = (value: string): boolean =>
  value.length >= LEAST && looksRandom(value.replace(/%[0-9A-Fa-f]{2}/g, ''), LEAST) && !isPlaceholderWord(value) && !isReference(value) && !isExample(value);

const pairAt = (text: string, at: number): { readonly name: string; readonly start: number; readonly end: number; readonly next: number } | undefined => {
  PAIR.lastIndex = at;
  const pair = PAIR.exec(text);
  if (pair === null) return undefined;
  const [whole, name = '', value = ''] = pair;
  const start = at + name.length + 1;
  return { name, start, end: start + value.length, next: at + whole.length };
};

/** The values of a cookie header that give access to a session. */
const cookieHeader: Rule = {
  anchors: ['cookie'],
  anyCase: true,
  named: true,
  match: (text, at) => {
    COOKIE_HEADER.lastIndex = at;
    if (!COOKIE_HEADER.test(text)) return undefined;
    const redactions: Redaction[] = [];
    let place = COOKIE_HEADER.lastIndex;
    for (let pairs = 0; pairs < MOST_PAIRS; pairs++) {
      const pair = pairAt(text, place);
      if (pair === undefined) break;
      const { name, start, end, next } = pair;
      if (!ATTRIBUTE.test(name) && isSession(text.slice(start, end))) redactions.push({ kind: 'session-cookie', start, end });
      place = next;
    }
    return redactions.length === 0 ? undefined : redactions;
  },
};

/** Names that frameworks give their session cookies, wherever they stand. */
const named: Rule = {
  anchors: ['phpsessid=', 'jsessionid=', 'connect.sid=', 'asp.net_sessionid=', 'laravel_session=', '_gh_sess='],
  anyCase: true,
  named: true,
  match: (text, at) => {
    const pair = pairAt(text, at);
    return pair && isSession(text.slice(pair.start, pair.end)) ? { kind: 'session-cookie', start: pair.start, end: pair.end } : undefined;
  },
};

export const COOKIE_RULES: readonly Rule[] = [cookieHeader, named];
