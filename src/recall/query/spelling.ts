import { analyze } from '../text/analyze.ts';
import type { RecallIndex } from '../port.ts';
import { STOP_WORDS } from '../text/words.ts';

const SHORTEST_WORD = 4;
const MOST_WORDS = 3;

/** Whether two words differ by one inserted, deleted or replaced letter, or by two swapped neighbours. */
export function oneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let endA = a.length;
  let endB = b.length;
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const changedA = endA - from;
  const changedB = endB - from;
  if (changedA <= 1 && changedB <= 1) return true;
  return changedA === 2 && changedB === 2 && a[from] === b[from + 1] && a[from + 1] === b[from];
}

export const prefixEnd = (start: string): string => `${start.slice(0, -1)}${String.fromCodePoint((start.codePointAt(start.length - 1) ?? 0) + 1)}`;

/** Terms of the indexed words that a word may mean: those one edit away, else those that it begins. */
export async function termsLike(word: string, indexes: readonly RecallIndex[]): Promise<readonly string[]> {
  if (word.length < SHORTEST_WORD || STOP_WORDS.has(word)) return [];
  const misspelt = (await wordsNear(word, indexes)).filter((known) => oneEditApart(known, word));
  const meant = misspelt.length > 0 ? misspelt : await wordsBetween(indexes, word, prefixEnd(word));
  const nearest = meant.toSorted((a, b) => Math.abs(a.length - word.length) - Math.abs(b.length - word.length) || (a < b ? -1 : 1));
  return [...new Set(nearest.slice(0, MOST_WORDS).flatMap(analyze))];
}

/** Terms of the indexed words that begin with `start`, the shortest first. */
export async function termsFrom(start: string, indexes: readonly RecallIndex[], most: number): Promise<readonly string[]> {
  const words = await wordsBetween(indexes, start, prefixEnd(start));
  return [
    ...new Set(
      words
        .toSorted((a, b) => a.length - b.length)
        .slice(0, most)
        .flatMap(analyze),
    ),
  ];
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Indexed words that include all those one edit away with the same first letter. Such a word shares the second letter too, or is one of a few that can be
 * spelled out: a large vocabulary has thousands of words for one letter.
 */
async function wordsNear(word: string, indexes: readonly RecallIndex[]): Promise<readonly string[]> {
  const first = String.fromCodePoint(word.codePointAt(0) as number);
  if (!/^[a-z]+$/.test(word)) return wordsBetween(indexes, first, prefixEnd(first));
  const [second, rest] = [word.slice(1), word.slice(2)];
  const spelledOut = new Set([`${first}${rest}`, `${first}${word[2]}${word[1]}${word.slice(3)}`]);
  for (const letter of LETTERS) spelledOut.add(`${first}${letter}${rest}`).add(`${first}${letter}${second}`);
  const [start, near] = [word.slice(0, 2), new Set<string>()];
  for (const index of indexes) {
    for (const known of await index.words(start, prefixEnd(start))) near.add(known);
    for (const known of await knownIn(index, [...spelledOut])) near.add(known);
  }
  return [...near];
}

async function knownIn(index: RecallIndex, words: readonly string[]): Promise<readonly string[]> {
  if (index.known) return index.known(words);
  const knownWords = await Promise.all(words.map(async (word) => index.words(word, `${word}\u0000`)));
  return knownWords.flat();
}

export async function wordsBetween(indexes: readonly RecallIndex[], from: string, to: string): Promise<readonly string[]> {
  const words = new Set<string>();
  for (const index of indexes) for (const word of await index.words(from, to)) words.add(word);
  return [...words];
}
