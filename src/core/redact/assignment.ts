import type { ValueContext } from './judge.ts';
import type { Extent } from './named.ts';

/** The start of a value, how it is joined to its name, and the end of a bare value. */
export interface Assignment {
  readonly at: number;
  readonly form: ValueContext;
  readonly extent: Extent;
}

const QUOTE = String.raw`\\{0,3}["'${'`'}]`;
const TYPED = String.raw`:[ \t]{0,4}(?:string|str|String|&(?:'static )?str)[ \t]{0,4}=`;
/** YAML's block scalars put the value on the next line. */
const BLOCK = String.raw`(?:[|>][-+]?[ \t]*(?:\r?\n|\\{1,3}n)[ \t]{1,40})?`;

/** Name and value joined as code, configuration, shells, JSON, YAML and Markdown join them. */
const ASSIGN = new RegExp(
  String.raw`(?:${QUOTE})?\]?(?:\*\*|__)?[ \t]{0,20}(?:${TYPED}|:=|=>|<-|={1,3}|!==?|:(?!:)|%3[Dd])(?:\*\*|__)?[ \t]{0,20}${BLOCK}`,
  'y',
);
/** Joined by a call, a fallback or a pair: only a quoted value counts. */
const PAIRED = new RegExp(String.raw`(?:${QUOTE})?[\])]?[ \t]{0,4}(?:\|\||\?\?|,|\(|[ \t])\s{0,20}(?=[rbuf]?${QUOTE})`, 'y');
/** `- name: DB_PASSWORD` with `value:` on the next line, or in the same JSON object or element. */
const NAME_VALUE = /\\{0,3}["']?(?:,|\s|\\n)(?:\s|\\n){0,40}\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}/iy;
/** Terraform's `variable "db_password" { default = "…" }`. */
const DEFAULT = /\\{0,3}["'](?:\s|\\n){0,4}\{[^{}]{0,200}?\bdefault\s{0,20}=\s{0,4}(?=\\{0,3}["'])/y;
/** An XML element that holds nothing but the value. */
const ELEMENT = />(?=[^\s<>]{1,256}<\/)/y;
const ATTRIBUTE = /\\{0,3}["']>(?=[^\s<>]{1,256}<\/)/y;
/** The next cell of a table. */
const CELL = /[ \t`*]{1,40}\|[ \t]{1,40}(?=[^\s|])/y;
/** `Enter passphrase for key '…': ` and what was typed. */
const PROMPT = / for [^\n:\\]{1,160}: ?(?=[^\s\\])/y;
/** `the password for staging is …`, `token - …` */
const PROSE = /(?:\s(?:for|of|to|on) (?:the |our |my )?[\w.@-]{1,40}){0,2}\s(?:is|was|to|->?|[–—→])(?: now| still)?:?\s(?=["'`]?\S)/y;
const SPACES = /[ \t]{1,8}(?=[^\s\-|&;<>=])/y;
/** A netrc entry names the login first. */
const LOGIN_BEFORE = /(?:machine\s{1,20}\S{1,100}|default)\s{1,20}login\s{1,20}\S{1,100}(?:\s{1,20}account\s{1,20}\S{1,100})?\s{1,20}$/;
/** Commands that take a name and its value as two words. */
const SETTER_BEFORE = /(?:^|\s|\\n)(?:ENV|setx|fish_add|set -[gx]{1,3})[ \t]{1,4}$/;

/** Text before a name whose value is never code. */
const VALUES_AFTER = /(?:--|\?|[^&]&|[^=!<>]=|-pass(?:in|out)? )$/;

export const endOfMatch = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

const before = (text: string, at: number, length: number): string => text.slice(Math.max(0, at - length), at);

/** A name and a value with only a space between them. */
const spacedAssignment = (text: string, name: string, nameAt: number, at: number): Assignment | undefined => {
  if (SETTER_BEFORE.test(before(text, nameAt, 24)) || LOGIN_BEFORE.test(before(text, nameAt, 360))) return { at, form: 'env', extent: 'word' };
  return /^pass(?:word|wd|phrase)$/i.test(name) ? { at, form: 'mention', extent: 'word' } : undefined;
};

const JOINTS: readonly (readonly [pattern: RegExp, form: ValueContext, extent: Extent])[] = [
  [NAME_VALUE, 'env', 'word'],
  [DEFAULT, 'quoted', 'code'],
  [PAIRED, 'prose', 'code'],
  [ATTRIBUTE, 'prose', 'word'],
  [CELL, 'prose', 'word'],
  [PROSE, 'prose', 'word'],
];

/** How a value is joined to the name that ends at `end`; undefined if none is. */
export const assignmentAt = (text: string, name: string, nameAt: number, end: number): Assignment | undefined => {
  const assigned = endOfMatch(ASSIGN, text, end);
  // Flags, queries and literals hold values, never code.
  if (assigned >= 0)
    return VALUES_AFTER.test(before(text, nameAt, 9)) && text[assigned] !== '='
      ? { at: assigned, form: 'env', extent: 'word' }
      : { at: assigned, form: 'bare', extent: 'code' };
  if (text[nameAt - 1] === '<' && endOfMatch(ELEMENT, text, end) >= 0) return { at: end + 1, form: 'env', extent: 'word' };
  const spaced = endOfMatch(SPACES, text, end);
  if (spaced >= 0 && text.startsWith('--', nameAt - 2)) return { at: spaced, form: 'bare', extent: 'word' };
  // SQL sets a password with the bare word.
  const paired = endOfMatch(PAIRED, text, end);
  if (paired >= 0 && name === 'PASSWORD' && text[end] === ' ') return { at: paired, form: 'quoted', extent: 'code' };
  const prompted = /passphrase$/i.test(name) ? endOfMatch(PROMPT, text, end) : -1;
  if (prompted >= 0) return { at: prompted, form: 'env', extent: 'line' };
  // `pass` is a verb as often as a name.
  if (/^pass$/i.test(name)) return undefined;
  for (const [pattern, form, extent] of JOINTS) {
    const at = endOfMatch(pattern, text, end);
    if (at >= 0) return { at, form, extent };
  }
  return spaced < 0 ? undefined : spacedAssignment(text, name, nameAt, spaced);
};
