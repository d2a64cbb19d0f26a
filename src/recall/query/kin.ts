import { analyze } from '../analyze.ts';
import type { RecallIndex } from '../port.ts';
import { prefixEnd, wordsBetween } from './spelling.ts';

/** Shorter beginnings are those of too many other words. */
const SHORTEST = 5;
/** Letters by which a word of the same family is longer: "friendship", "campground". */
const LONGEST_END = 6;
const MOST = 4;
/** Endings that the stemmer leaves, as it leaves stems: "dancer" is asked of one who dances, "childhood" of a child. */
const ENDING = /^([a-z]{4,})(?:er|or|hood|ship|ist|ian|ition|iv|ival|eri|ion|dom|ag|al|ment)$/;

/** Terms of the same family of words as a term: what begins with it, and what it was made from. */
export async function relatedTerms(term: string, indexes: readonly RecallIndex[]): Promise<readonly string[]> {
  const base = term.replace(/[ei]$/, '');
  if (base.length < SHORTEST || !/^[a-z]+$/.test(base)) return [];
  const longer = (await wordsBetween(indexes, base, prefixEnd(base))).filter((word) => word.length <= base.length + LONGEST_END);
  const kin = new Set(longer.toSorted((a, b) => a.length - b.length).flatMap(analyze));
  kin.delete(term);
  const [, made] = ENDING.exec(term) ?? [];
  return [...kin].slice(0, MOST).concat(made === undefined ? [] : analyze(`${made} ${made}e`));
}
