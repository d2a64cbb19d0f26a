import { analyze } from '../analyze.ts';

/** What stands in backticks or quotation marks, and any run of letters with something else inside: a path, a flag, a version, `camelCase`, a number. */
const QUOTED = /`([^`]{3,80})`|(?<!\w)'([^']{3,60})'(?!\w)|["“]([^"“”]{3,60})["”]/g;
const RUN = /[\w.@/:-]*\w/g;
const IS_NAME = /\w[./:_@-]+\w|[a-z][A-Z]|\d{2}/;
const MOST = 24;

/** The names in a question, each as the terms that stand together where it is written. */
export function questionNames(text: string): readonly (readonly string[])[] {
  const names = new Map<string, readonly string[]>();
  const add = (name: string): void => {
    if (names.size >= MOST) return;
    const terms = analyze(name);
    if (terms.length > 0) names.set(terms.join(' '), terms);
  };
  for (const [, ...inside] of text.matchAll(QUOTED)) for (const name of inside) if (name !== undefined) add(name);
  for (const [run] of text.matchAll(RUN)) if (IS_NAME.test(run)) add(run);
  return [...names.values()];
}
