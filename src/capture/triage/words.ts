/** The place and text of a match. */
export interface PhraseSpan {
  readonly 0: string;
  readonly index: number;
}

/** A pattern of a sign: a regular expression, or several that follow one another. */
export interface PhrasePattern {
  readonly test: (text: string) => boolean;
  readonly exec: (text: string) => PhraseSpan | null;
}

/** A pattern with its meaning and weight. */
export type Sign = readonly [why: string, weight: number, wording: PhrasePattern];

/** The source of a pattern without escapes. */
export const { raw } = String;

/** The source of a pattern that matches any of these. */
export const one = (...wordings: readonly string[]): string => `(?:${wordings.join('|')})`;

/** Many rules share a pattern, so each is compiled once, on first use. */
const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source, 'gi');
  patterns.set(source, known);
  return known;
}

function firstMatch(source: string, text: string, from: number): RegExpExecArray | null {
  const pattern = patternOf(source);
  pattern.lastIndex = from;
  return pattern.exec(text);
}

type Step = readonly [within: number, source: string];

/** One pattern and, within so many characters, the next. A single pattern would take long to compile, and most texts do not match even the first part. */
class Chain implements PhrasePattern {
  readonly #first: string;
  readonly #steps: readonly Step[];

  constructor(first: string, steps: readonly Step[]) {
    this.#first = first;
    this.#steps = steps;
  }

  test(text: string): boolean {
    return this.exec(text) !== null;
  }

  exec(text: string): PhraseSpan | null {
    for (let start = firstMatch(this.#first, text, 0); start !== null; start = firstMatch(this.#first, text, start.index + Math.max(1, start[0].length))) {
      const end = this.#endFrom(text, start.index + start[0].length);
      if (end !== undefined) return { 0: text.slice(start.index, end), index: start.index };
    }
    return null;
  }

  #endFrom(text: string, from: number): number | undefined {
    let end = from;
    for (const [within, source] of this.#steps) {
      const next = firstMatch(source, text, end);
      if (next === null || next.index > end + within) return undefined;
      end = next.index + next[0].length;
    }
    return end;
  }
}

class AnyOf implements PhrasePattern {
  readonly #wordings: readonly PhrasePattern[];

  constructor(wordings: readonly PhrasePattern[]) {
    this.#wordings = wordings;
  }

  test(text: string): boolean {
    return this.#wordings.some((pattern) => pattern.test(text));
  }

  exec(text: string): PhraseSpan | null {
    for (const pattern of this.#wordings) {
      const span = pattern.exec(text);
      if (span !== null) return span;
    }
    return null;
  }
}

/** A pattern, followed by others, each within so many characters of the previous one. */
export const chain = (first: string, ...steps: readonly Step[]): PhrasePattern => new Chain(first, steps);

/** A sign of any of these patterns, case-insensitive. */
export function sign(why: string, weight: number, ...wordings: readonly (string | PhrasePattern)[]): Sign {
  const plain = wordings.filter((phrase) => typeof phrase === 'string');
  const chains = wordings.filter((phrase) => typeof phrase !== 'string');
  const pattern = plain.length === 0 ? [] : [new RegExp(plain.join('|'), 'i')];
  return [why, weight, chains.length === 0 && pattern[0] !== undefined ? pattern[0] : new AnyOf([...pattern, ...chains])];
}

/** A sign of any of these phrases, as whole words. */
export const phrases = (why: string, weight: number, ...wordings: readonly string[]): Sign => sign(why, weight, raw`\b${one(...wordings)}\b`);

/** A pattern of any of these phrases, as whole words. */
export const saying = (...wordings: readonly string[]): PhrasePattern => phrases('', 0, ...wordings)[2];

/** The forms of a verb. Irregular forms are given: `keep kept`, `commit committed committing`. */
interface Forms {
  readonly base: string;
  readonly third: string;
  readonly past: string;
  readonly ing: string;
}

const ONE_SYLLABLE = /^[^aeiou]*[aeiou][^aeiouwxy]$/;

function formsOf(verb: string): Forms {
  const [base = '', past, ing] = verb.split(' ');
  const stem = ONE_SYLLABLE.test(base) ? base + base.slice(-1) : base.replace(/e$/, '');
  const third = /(?:s|x|ch|sh|o)$/.test(base) ? `${base}es` : base.replace(/([^aeiou])y$/, '$1ie').concat('s');
  return { base, third, past: past ?? (/[^aeiou]y$/.test(base) ? base.replace(/y$/, 'ied') : `${stem}ed`), ing: ing ?? `${stem}ing` };
}

/** Patterns of some verbs in each of their forms. */
export function verbs(...list: readonly string[]): Forms & { readonly any: string } {
  const all = list.flatMap((entry) => entry.split('|')).map(formsOf);
  const each = (form: keyof Forms): string => one(...new Set(all.map((forms) => forms[form])));
  return {
    base: each('base'),
    third: each('third'),
    past: each('past'),
    ing: each('ing'),
    any: one(...new Set(all.flatMap((forms) => Object.values(forms) as string[]))),
  };
}
