import type { WordRun } from './analyze.ts';
import { STOP_WORDS } from './stopwords.ts';

const WORD = /\p{Lu}?\p{Ll}{3,}|\p{Lu}{4,}|\p{Lo}{4,}/gu;
/** Most texts are plain ASCII, and the classes of all letters are slow. */
const ASCII_WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g;
const NOT_ASCII = /[^\0-\x7f]/;
const LONGEST = 32;
const PLAIN = /^[a-z]{3,32}$/;

/** The words of a text as people would spell them, without their endings cut: what a misspelt or half-typed word is compared with. */
export function spelledWords(text: string, into: Set<string> = new Set()): Set<string> {
  for (const [word] of text.matchAll(NOT_ASCII.test(text) ? WORD : ASCII_WORD)) {
    const lower = word.toLowerCase();
    if (lower.length <= LONGEST && !STOP_WORDS.has(lower)) into.add(lower);
  }
  return into;
}

/** Gathers the words of what is indexed. A word never reaches beyond its run, so each run is looked at once, however often it comes. */
export class NewWords {
  /** Runs that are new. */
  readonly runs: WordRun[] = [];
  readonly #torn: string[] = [];

  /** A text with a run that was cut in two to fit into it: its words are read from the text itself. */
  torn(text: string): void {
    this.#torn.push(text);
  }

  /** Runs noted since there were so many are not there after all. */
  forget(count: number): void {
    for (const run of this.runs.splice(count)) run.noted = undefined;
  }

  /** The words gathered since it was last asked. */
  take(): ReadonlySet<string> {
    const words = new Set<string>();
    for (const { text } of this.runs) {
      if (!PLAIN.test(text)) spelledWords(text, words);
      else if (!STOP_WORDS.has(text)) words.add(text);
    }
    for (const text of this.#torn) spelledWords(text, words);
    this.runs.length = 0;
    this.#torn.length = 0;
    return words;
  }
}
