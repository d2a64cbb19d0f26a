import { endOfMatch } from './joint.ts';
import { encodedPair, restlessness } from './judge.ts';
import { isPlaceholderWord, isExample, isReference } from './placeholder.ts';
import type { Rule } from './scan.ts';

const VALUE = /[^\s"'`<>,;\\)\]}]{6,256}/y;
const REST = /[^\s"'`<>,;\\)\]}]*/y;
const SCHEME = /(?:bearer|basic|token|apikey|api-key|key|digest|negotiate|bot|jwt)(?:[ \t]{1,4}|%20|\+)(?=[^\s"'`])/iy;
const HEADER = /(?:proxy-)?authorization\\{0,3}["'`]?\]?[ \t]{0,8}(?:[:=,]|=>)[ \t]{0,8}[fbr]?\\{0,3}["'`]?/iy;

const written = (value: string): boolean => !isPlaceholderWord(value) && !isReference(value) && !isExample(value) && !/^[[({$<%]|[({]$/.test(value);

/** Letters of both cases or digits mixed in: not a word of the sentence that speaks about bearer tokens. */
const opaque = (value: string): boolean => value.length >= 16 && /[0-9]|[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) && restlessness(value) >= 0.1;

const span = (text: string, start: number, told: (value: string) => boolean): ReturnType<Rule['match']> => {
  const end = endOfMatch(VALUE, text, start);
  if (end < 0) return undefined;
  const value = text.slice(start, end);
  return written(value) && told(value) ? { kind: 'authorization', start, end: endOfMatch(REST, text, end) } : undefined;
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

const scheme = (anchor: string, told: (value: string) => boolean): Rule => ({
  anchors: [anchor],
  anyCase: true,
  named: true,
  match: (text, at) => {
    const schemed = /[A-Za-z0-9]/.test(text[at - 1] ?? '') && !/\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at)) ? -1 : endOfMatch(SCHEME, text, at);
    return schemed < 0 ? undefined : span(text, schemed, told);
  },
});

export const HEADER_RULES: readonly Rule[] = [header, scheme('bearer', opaque), scheme('basic', encodedPair)];
