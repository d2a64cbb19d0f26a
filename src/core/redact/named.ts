import { DOTTED, runStart } from './chars.ts';
import { secretKindOf, secretLabel, NAME_END, SHOUTED } from './claim.ts';
import type { Assignment } from './joint.ts';
import { endOfMatch, assignmentAt } from './joint.ts';
import type { SecretKind, ValueContext } from './judge.ts';
import { isSecret, JUDGED } from './judge.ts';
import type { Rule } from './scan.ts';
import type { Extent, Value } from './value.ts';
import { readValue } from './value.ts';

const WORDS = /pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|key|credentials?|auth/iy;
/** Characters of a name read before its telling word. */
const REACH = 64;

/** What stands before a name that opens a line of configuration: indentation, a list mark, a diff mark, a line number, `export`. */
const LINE_OPENER =
  /(?:^|[\n\r]|\\n|\\r)[ \t]*(?:\d{1,6}[→:|\t])?[ \t]*[-+>#$*!|]?[ \t]*(?:\*\*|__)?(?:(?:export|set|setx|ENV|ARG|env|declare -x|-e|--env)[ \t]+)?["']?$/;

const lineOpens = (text: string, nameAt: number): boolean => nameAt === 0 || LINE_OPENER.test(text.slice(Math.max(0, nameAt - 48), nameAt));

/** Flags and diff marks are no part of a name, nor is the letter of an escape such as `\n`, which belongs to the line before. */
const nameStart = (text: string, at: number): number => {
  let start = runStart(text, at, DOTTED, REACH);
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
const extentOf = (joint: Assignment, opensLine: boolean, claim: SecretKind): Extent => {
  if (!opensLine || (joint.form !== 'bare' && joint.form !== 'env')) return joint.extent;
  return claim === 'passphrase' ? 'line' : 'word';
};

/** `API key` in two words, and the `key` of a query. */
const fullName = (text: string, name: string, nameAt: number): string => {
  if (!/^keys?$/i.test(name)) return name;
  if (/[?&]/.test(text[nameAt - 1] ?? '')) return `api_${name}`;
  const word = /([A-Za-z]{2,14}) $/.exec(text.slice(Math.max(0, nameAt - 16), nameAt))?.[1];
  return word === undefined ? name : `${word} ${name}`;
};

/** A secret told by the name beside it. */
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
    const joint = assignmentAt(text, name, nameAt, end);
    if (joint === undefined) return undefined;
    const opensLine = lineOpens(text, nameAt);
    const extent = extentOf(joint, opensLine, claim);
    // Judged by its beginning before its end is looked for, so that a value that is none costs little.
    const value = readValue(text, joint.at, extent, joint.at + JUDGED);
    if (value === undefined) return undefined;
    const env =
      joint.form === 'bare' && ((SHOUTED.test(name) && text[end] === '=' && joint.at === end + 1) || (opensLine && plainWord(text, end, value, claim)));
    const form: ValueContext = joint.form !== 'bare' && joint.form !== 'env' ? joint.form : value.quoted ? 'quoted' : env ? 'env' : joint.form;
    if (!isSecret(text.slice(value.start, value.end), claim, form)) return undefined;
    const full = readValue(text, joint.at, extent) ?? value;
    return { kind: secretLabel(claim, name, text.slice(full.start, full.end)), start: full.start, end: full.end };
  },
};
