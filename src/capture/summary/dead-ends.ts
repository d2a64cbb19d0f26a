import type { Message } from '../../core/episode.ts';
import { sentencesOf } from '../triage/prose.ts';
import { foreignText } from '../triage/own.ts';
import type { TriageMatch } from '../triage/score.ts';
import { saying } from '../triage/words.ts';

const TURNED_BACK = saying(
  'revert(?:ed|ing)?|roll(?:ed|ing)? back|undo(?:ne|ing)?|different approach|wrong approach|dead end|scrap (?:that|this)|never mind',
  `(?:didn't|doesn't|did not|does not|won't) work|not what i (?:want|meant|asked)`,
);
const KEPT = 60;
const REMEMBERED = 5_000;
const REACH = 8;
const SHARED = 2;

interface Reversal {
  readonly at: number;
  readonly words: ReadonlySet<string>;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{5,}/gu) ?? []);

/** Remembers where the session turned back, so that what was tried is told as tried and not as true. */
export class DeadEnds {
  readonly #places = new Map<string, number>();
  #reversals: Reversal[] = [];
  #count = 0;

  add(message: Message): void {
    if (message.role === 'tool' || message.agentId !== undefined) return;
    this.#count++;
    this.#places.set(message.id, this.#count);
    if (this.#places.size > REMEMBERED) this.#places.delete(this.#places.keys().next().value as string);
    for (const sentence of sentencesOf(foreignText(message.text).slice(0, 4_000))) {
      if (!sentence.asks && TURNED_BACK.test(sentence.plain)) this.#reversals.push({ at: this.#count, words: wordsOf(sentence.text) });
    }
    if (this.#reversals.length > KEPT) this.#reversals = this.#reversals.slice(-KEPT);
  }

  /** Whether the session soon turned back on what a match says. */
  has(match: TriageMatch): boolean {
    const place = this.#places.get(match.passage.messageId);
    if (place === undefined) return false;
    const words = wordsOf(match.sentence.text);
    return this.#reversals.some(({ at, words: turned }) => at > place && at <= place + REACH && [...turned].filter((word) => words.has(word)).length >= SHARED);
  }
}
