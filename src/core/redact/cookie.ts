import { looksRandom } from './judge.ts';
import { isPlaceholderWord, isExample, isReference } from './placeholder.ts';
import type { Rule } from './scan.ts';
import type { Redaction } from './span.ts';

/** `Set-Cookie: a=b; c=d`, `"cookie": "a=b"`, `--cookie "a=b"`. */
const HEADER = /cookies?(?:\\{0,3}["'])?(?:[ \t]{0,8}[:=][ \t]{0,8}|[ \t]{1,4})\\{0,3}["'`]?(?=[\w.-]{1,64}=)/iy;
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

/** The values of a cookie header that open a session to whoever holds them. */
const header: Rule = {
  anchors: ['cookie'],
  anyCase: true,
  named: true,
  match: (text, at) => {
    HEADER.lastIndex = at;
    if (!HEADER.test(text)) return undefined;
    const found: Redaction[] = [];
    let place = HEADER.lastIndex;
    for (let pairs = 0; pairs < MOST_PAIRS; pairs++) {
      const pair = pairAt(text, place);
      if (pair === undefined) break;
      const { name, start, end, next } = pair;
      if (!ATTRIBUTE.test(name) && isSession(text.slice(start, end))) found.push({ kind: 'session-cookie', start, end });
      place = next;
    }
    return found.length === 0 ? undefined : found;
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

export const COOKIE_RULES: readonly Rule[] = [header, named];
