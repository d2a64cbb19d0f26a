import type { Message } from '../../core/episode/episode.ts';
import { sentencesOf } from '../triage/prose.ts';
import { foreignText } from '../triage/tool-answers.ts';
import type { TriageMatch } from '../triage/score.ts';
import { saying } from '../triage/words.ts';
import { epochOf } from '../../core/instant.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import { namesAgain, objectionIn, undoes } from '../drafts/objections.ts';
import { withoutMarks } from './text.ts';

const TURNED_BACK = saying(
  'revert(?:ed|ing)?|roll(?:ed|ing)? back|undo(?:ne|ing)?|different approach|wrong approach|dead end|scrap (?:that|this)|never mind',
  `(?:didn't|doesn't|did not|does not|won't) work|not what i (?:want|meant|asked)`,
);
/** Words for all work, not just one commit or change. Records that the agent saved are dropped only if all work is rejected. */
const EVERYTHING =
  /\b(?:everything|all (?:of )?(?:it|that|this|these|those|the|my|your|changes|work|commits|edits)|it all|your (?:\w+ ){0,2}(?:changes|work|commits|edits)|start (?:over|again|from scratch))\b/i;
const SECOND_MS = 1_000;
const MOST_REMEMBERED = 60;
const REMEMBERED = 5_000;
const MESSAGES_AFTER = 8;
const SHARED = 2;

interface Reversal {
  readonly at: number;
  readonly words: ReadonlySet<string>;
}

/** The user's rejection of earlier work: of all of it, or of the part that the text names. */
interface Rejection {
  readonly time: number;
  readonly isAll: boolean;
  readonly text: string;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{5,}/gu) ?? []);

/** Remembers where the session turned back, so that abandoned attempts are reported as attempts. */
export class DeadEnds {
  readonly #places = new Map<string, number>();
  #reversals: Reversal[] = [];
  /** Where the user discarded all work, with the words of the parts that they want to keep. */
  #undone: Reversal | undefined;
  #rejections: Rejection[] = [];
  #count = 0;

  add(message: Message): void {
    if (message.role === 'tool' || message.agentId !== undefined) return;
    this.#count++;
    this.#places.set(message.id, this.#count);
    if (this.#places.size > REMEMBERED) this.#places.delete(this.#places.keys().next().value as string);
    const text = foreignText(message.text);
    if (message.role === 'user') this.#addObjection(text, epochOf(message.at));
    if (message.role === 'user' && objectionIn(text) === 'all') this.#undone = { at: this.#count, words: wordsOf(text) };
    for (const sentence of sentencesOf(text.slice(0, 4_000))) {
      if (!sentence.asks && TURNED_BACK.test(sentence.plain)) this.#reversals.push({ at: this.#count, words: wordsOf(sentence.text) });
    }
    if (this.#reversals.length > MOST_REMEMBERED) this.#reversals = this.#reversals.slice(-MOST_REMEMBERED);
  }

  /** Why a record saved during the session no longer holds: the user later discarded all work, or undid or refused it. Undefined if it still holds. */
  reasonAgainst(saved: string, at: number): string | undefined {
    const against = this.#rejections.find(({ time, isAll, text }) => {
      // Times of records have seconds, times of prompts milliseconds.
      if (time < at + SECOND_MS) return false;
      return isAll ? [...wordsOf(text)].filter((word) => wordsOf(saved).has(word)).length < SHARED : namesAgain(text, saved);
    });
    return against && `The user took it back: ${against.text}`;
  }

  #addObjection(text: string, time: number | undefined): void {
    const objection = objectionIn(text);
    if (time === undefined) return;
    const sentences = typedSentences(text);
    const isAll = objection === 'all' && sentences.some((sentence) => EVERYTHING.test(sentence));
    const objections = isAll ? [sentences.join(' ')] : objection === 'last' ? sentences : sentences.filter(undoes);
    this.#rejections = [...this.#rejections, ...objections.map((one) => ({ time, isAll, text: one }))].slice(-MOST_REMEMBERED);
  }

  /** Whether the session soon abandoned the content of a match. */
  isAbandoned(match: TriageMatch): boolean {
    const place = this.#places.get(match.passage.messageId);
    if (place === undefined) return false;
    const words = wordsOf(match.sentence.text);
    if (this.#undone !== undefined && place < this.#undone.at) return [...this.#undone.words].filter((word) => words.has(word)).length < SHARED;
    return this.#reversals.some(
      ({ at, words: turned }) => at > place && at <= place + MESSAGES_AFTER && [...turned].filter((word) => words.has(word)).length >= SHARED,
    );
  }
}

/** The position of a message: its prompt, and its number in the session. */
export interface SpokenPlace {
  readonly turn: string;
  readonly at: number;
}

/** Phrases of an agent that is still choosing between approaches. */
const CHOOSING =
  /\b(?:simplest|cleanest|easiest|safest|best|better|right|simpler|cleaner) (?:\w+ ){0,2}(?:approach|fix|way|solution|option)\b|^(?:actually|instead|wait)\b|^i'll\b/i;

const isChoosing = ({ passage, sentence }: TriageMatch): boolean =>
  passage.voice === 'agent' && CHOOSING.test(withoutMarks(`${sentence.label} ${sentence.text}`));

/** Of the approaches that an agent considered in one turn, only the last was taken; the others are dropped. */
export function lastThoughts(matches: readonly TriageMatch[], placeOf: (messageId: string) => SpokenPlace | undefined): TriageMatch[] {
  const last = new Map<string, { readonly match: TriageMatch; readonly at: number }>();
  for (const match of matches.filter(isChoosing)) {
    const place = placeOf(match.passage.messageId);
    if (place === undefined) continue;
    const at = place.at + match.sentence.line / 1e6;
    if (at >= (last.get(place.turn)?.at ?? -1)) last.set(place.turn, { match, at });
  }
  const latest = new Set([...last.values()].map(({ match }) => match));
  return matches.filter((match) => !isChoosing(match) || latest.has(match) || placeOf(match.passage.messageId) === undefined);
}
