import { STOP_WORDS } from './stopwords.ts';

const WORD = /\p{Lu}?\p{Ll}{3,}|\p{Lu}{4,}|\p{Lo}{4,}/gu;
/** Most texts are plain ASCII, and the classes of all letters are slow. */
const ASCII_WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g;
const NOT_ASCII = /[^\0-\x7f]/;
const LONGEST = 32;

/** The words of a text as people would spell them, without their endings cut: what a misspelt or half-typed word is compared with. */
export function wordsOf(text: string, into: Set<string> = new Set()): Set<string> {
  for (const [word] of text.matchAll(NOT_ASCII.test(text) ? WORD : ASCII_WORD)) {
    const lower = word.toLowerCase();
    if (lower.length <= LONGEST && !STOP_WORDS.has(lower)) into.add(lower);
  }
  return into;
}
