/** The mark in place of forgotten text. */
const FORGOTTEN = '[forgotten]';

/** Shorter sentences, such as "Use SQLite", stand in many texts that have nothing to do with the record. */
const LEAST_CHARACTERS = 16;
/** Languages that write without spaces say as much in half the characters. */
const LEAST_IDEOGRAPHS = 8;

const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/u;
const EDGES = /^[\s\-*+#>|`"'“”„«»()[\]\d.:]+|[\s.!?。！？,;:`"'“”«»()[\]|]+$/gu;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const isTelling = (sentence: string): boolean =>
  (sentence.length >= LEAST_CHARACTERS && /\s/.test(sentence)) || (sentence.match(IDEOGRAPH)?.length ?? 0) >= LEAST_IDEOGRAPHS;

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll('"', String.raw`\\*"`);

/** Between two words: white space, plain or escaped once or twice as in JSON, and the marks that open a line of Markdown. */
const GAP = String.raw`(?:\s|\\+[nrt])+(?:[>*#-]\s+)?`;

/** Sentences of a record that is to be forgotten, found and taken out wherever they stand verbatim: in plain text and inside JSON. */
export class ForgottenText {
  readonly sentences: readonly string[];
  readonly #pattern: RegExp | undefined;

  constructor(sentences: Iterable<string>) {
    // The longest first, so that a sentence is removed whole even if a part of it is a sentence of its own.
    this.sentences = [...new Set(sentences)].toSorted((a, b) => b.length - a.length);
    const patterns = this.sentences.map((sentence) => sentence.split(' ').map(escaped).join(GAP));
    this.#pattern = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'giu');
  }

  /** The sentences of texts that are long enough to be recognised. */
  static of(texts: Iterable<string>): ForgottenText {
    const sentences: string[] = [];
    for (const text of texts) {
      for (const part of text.split(SENTENCE_END)) {
        const sentence = part.replace(EDGES, '').replace(/\s+/g, ' ');
        if (isTelling(sentence)) sentences.push(sentence);
      }
    }
    return new ForgottenText(sentences);
  }

  isIn(text: string): boolean {
    if (this.#pattern === undefined) return false;
    this.#pattern.lastIndex = 0;
    return this.#pattern.test(text);
  }

  takenOutOf(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, FORGOTTEN);
  }

  /** Which of the sentences a text holds. */
  heldBy(text: string): readonly string[] {
    return this.isIn(text) ? this.sentences.filter((sentence) => new ForgottenText([sentence]).isIn(text)) : [];
  }

  without(remaining: ReadonlySet<string>): ForgottenText {
    return new ForgottenText(this.sentences.filter((sentence) => !remaining.has(sentence)));
  }
}
