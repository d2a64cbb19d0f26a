/** The match of a sign in a text. */
export interface Found {
  readonly 0: string;
  readonly index: number;
}

/** The pattern of a signal, or several that follow one another. */
export interface PhrasePattern {
  readonly test: (text: string) => boolean;
  readonly exec: (text: string) => Found | null;
}

/** A pattern with what it stands for and what it is worth. */
export type Sign = readonly [why: string, weight: number, wording: PhrasePattern];

/** A pattern as it is typed. */
export const { raw } = String;

/** Any of these, as a part of a pattern. */
export const one = (...wordings: readonly string[]): string => `(?:${wordings.join('|')})`;

/** The same words stand in many rules: a pattern is made once, and only when a text is long enough to need it. */
const made = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const known = made.get(source) ?? new RegExp(source, 'gi');
  made.set(source, known);
  return known;
}

function after(source: string, text: string, from: number): RegExpExecArray | null {
  const pattern = patternOf(source);
  pattern.lastIndex = from;
  return pattern.exec(text);
}

type Step = readonly [within: number, source: string];

/**
 * One wording and, within so many characters, the next. As a single pattern this would take long to make ready, and most texts
 * have not even the first.
 */
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

  exec(text: string): Found | null {
    for (let start = after(this.#first, text, 0); start !== null; start = after(this.#first, text, start.index + Math.max(1, start[0].length))) {
      const end = this.#endFrom(text, start.index + start[0].length);
      if (end !== undefined) return { 0: text.slice(start.index, end), index: start.index };
    }
    return null;
  }

  #endFrom(text: string, from: number): number | undefined {
    let end = from;
    for (const [within, source] of this.#steps) {
      const next = after(source, text, end);
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

  exec(text: string): Found | null {
    for (const pattern of this.#wordings) {
      const found = pattern.exec(text);
      if (found !== null) return found;
    }
    return null;
  }
}

/** One wording, and after it the others, each within so many characters of the one before. */
export const chain = (first: string, ...steps: readonly Step[]): PhrasePattern => new Chain(first, steps);

/** A sign with many wordings, any of which will do; upper and lower case are alike. */
export function sign(why: string, weight: number, ...wordings: readonly (string | PhrasePattern)[]): Sign {
  const plain = wordings.filter((phrase) => typeof phrase === 'string');
  const chains = wordings.filter((phrase) => typeof phrase !== 'string');
  const pattern = plain.length === 0 ? [] : [new RegExp(plain.join('|'), 'i')];
  return [why, weight, chains.length === 0 && pattern[0] !== undefined ? pattern[0] : new AnyOf([...pattern, ...chains])];
}

/** A sign of any of these phrases, as whole words. */
export const phrases = (why: string, weight: number, ...wordings: readonly string[]): Sign => sign(why, weight, raw`\b${one(...wordings)}\b`);

/** The same for a pattern that stands alone. */
export const saying = (...wordings: readonly string[]): PhrasePattern => phrases('', 0, ...wordings)[2];

/** A verb by its forms; what is irregular is spelled out: `keep kept`, `commit committed committing`. */
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

/** The same verbs in each of their forms, as parts of patterns: a rule names a verb and not the wordings met so far. */
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
