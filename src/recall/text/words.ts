import type { WordRun } from './analyze.ts';

/** Words too common to distinguish texts. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are aren as at be because been before being both but by can could couldn did didn do does doesn doing don ' +
    'during each few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself ' +
    'just let ll me more most my myself no nor not now of off on once only or other our ours ourselves out over own re s same shan she should shouldn so some ' +
    'such t than that the their theirs them themselves then there these they this those through to too under until up us ve very was wasn we were weren what ' +
    'when where which while who whom whose why will with won would wouldn you your yours yourself yourselves d m e g ie eg etc via instead rather one many kind might may must per'
  ).split(' '),
);

const WORD = /\p{Lu}?\p{Ll}{3,}|\p{Lu}{4,}|\p{Lo}{4,}/gu;
/** Most texts are ASCII, and the classes of all letters are slow. */
const ASCII_WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g;
const NOT_ASCII = /[^\0-\x7f]/;
const LONGEST = 32;
const PLAIN = /^[a-z]{3,32}$/;

/** The unstemmed words of a text, which a misspelt or half-typed word is compared with. */
export function spelledWords(text: string, into: Set<string> = new Set()): Set<string> {
  for (const [word] of text.matchAll(NOT_ASCII.test(text) ? WORD : ASCII_WORD)) {
    const lower = word.toLowerCase();
    if (lower.length <= LONGEST && !STOP_WORDS.has(lower)) into.add(lower);
  }
  return into;
}

/** Collects the words of indexed texts. A word never extends beyond its run, so each run is read once, however often it occurs. */
export class NewWords {
  /** New runs since the last `take`. */
  readonly runs: WordRun[] = [];
  readonly #splitTexts: string[] = [];

  /** Adds a text with a run that was cut within a word: its words are read from the text itself. */
  addSplitText(text: string): void {
    this.#splitTexts.push(text);
  }

  /** Removes the runs after the first `count`. */
  forget(count: number): void {
    for (const run of this.runs.splice(count)) run.lastList = undefined;
  }

  /** The words collected since the last call. */
  take(): ReadonlySet<string> {
    const words = new Set<string>();
    for (const { text } of this.runs) {
      if (!PLAIN.test(text)) spelledWords(text, words);
      else if (!STOP_WORDS.has(text)) words.add(text);
    }
    for (const text of this.#splitTexts) spelledWords(text, words);
    this.runs.length = 0;
    this.#splitTexts.length = 0;
    return words;
  }
}
