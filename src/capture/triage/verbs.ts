import { one } from './words.ts';

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
