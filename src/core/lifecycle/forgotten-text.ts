/** The mark in place of forgotten text. */
const FORGOTTEN = '[forgotten]';

/** Shorter sentences, such as "Use SQLite", occur in many unrelated texts. */
const LEAST_CHARACTERS = 16;
/** The same for scripts without spaces, which need half the characters. */
const LEAST_IDEOGRAPHS = 8;

const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/u;
const EDGES = /^[\s\-*+#>|`"'“”„«»()[\]\d.:]+|[\s.!?。！？,;:`"'“”«»()[\]|]+$/gu;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const isRecognisable = (sentence: string): boolean =>
  (sentence.length >= LEAST_CHARACTERS && /\s/.test(sentence)) || (sentence.match(IDEOGRAPH)?.length ?? 0) >= LEAST_IDEOGRAPHS;

const escapePattern = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll('"', String.raw`\\*"`);

/** The text between two words: white space, plain or escaped as in JSON, and the marks at the start of a Markdown line. */
const GAP = String.raw`(?:\s|\\+[nrt])+(?:[>*#-]\s+)?`;

/** The sentences of a record to be forgotten; finds and removes them in plain text and inside JSON. */
export class ForgottenText {
  readonly sentences: readonly string[];
  readonly #pattern: RegExp | undefined;

  constructor(sentences: Iterable<string>) {
    // The longest first, so that a sentence is removed whole even if a part of it is a sentence of its own.
    this.sentences = [...new Set(sentences)].toSorted((a, b) => b.length - a.length);
    const patterns = this.sentences.map((sentence) => sentence.split(' ').map(escapePattern).join(GAP));
    this.#pattern = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'giu');
  }

  /** The sentences of texts that are long enough to be recognised. */
  static of(texts: Iterable<string>): ForgottenText {
    const sentences: string[] = [];
    for (const text of texts) {
      for (const part of text.split(SENTENCE_END)) {
        const sentence = part.replace(EDGES, '').replace(/\s+/g, ' ');
        if (isRecognisable(sentence)) sentences.push(sentence);
      }
    }
    return new ForgottenText(sentences);
  }

  isIn(text: string): boolean {
    if (this.#pattern === undefined) return false;
    this.#pattern.lastIndex = 0;
    return this.#pattern.test(text);
  }

  removeFrom(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, FORGOTTEN);
  }

  /** The sentences that a text contains. */
  sentencesIn(text: string): readonly string[] {
    return this.isIn(text) ? this.sentences.filter((sentence) => new ForgottenText([sentence]).isIn(text)) : [];
  }

  without(remaining: ReadonlySet<string>): ForgottenText {
    return new ForgottenText(this.sentences.filter((sentence) => !remaining.has(sentence)));
  }
}
