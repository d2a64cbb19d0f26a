import type { Message } from '../../core/episode/episode.ts';
import { ruleIn, type StandingRule } from '../../core/rules/standing-rule.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import type { Sentence } from '../triage/prose.ts';
import { foreignText } from '../triage/tool-answers.ts';
import { type UserChoice, choicesIn, replacesChoice } from './choices.ts';
import { limitIn } from './limits.ts';
import { givesUp, objectionIn, overtakes, takesBack, type Later } from './objections.ts';

interface Said {
  readonly messageId: string;
  /** The prompt under which it was said, counted from the start. */
  readonly turn: number;
  /** A tool or the web may have said it first. */
  readonly foreign: boolean;
}

/** What a session states as such: a rule the user typed, a choice the user made, a limit the agent met. */
export type SessionStatement = Said &
  (
    | { readonly kind: 'rule'; readonly rule: StandingRule; /** What to do instead, said right after it. */ readonly next?: string }
    | { readonly kind: 'choice'; readonly choice: UserChoice }
    | { readonly kind: 'limit'; readonly text: string; readonly under: string }
  );

const MOST = 80;
/** The next sentence tells what to do instead. */
const GOES_ON = /^(?:instead|rather|use|you can|you should|fix|do|only|just)\b(?!.*\?$).{15,200}$/i;

const wordsIn = (statement: SessionStatement): string => {
  if (statement.kind === 'rule') return statement.rule.text;
  return statement.kind === 'limit' ? statement.text : `${statement.choice.question} ${statement.choice.chosen.label}`;
};

/** A choice can also be overtaken by what the agent made of it. */
const isTakenBack = (later: Later, statement: SessionStatement): boolean =>
  takesBack(later, wordsIn(statement), statement.kind) ||
  (statement.kind === 'choice' && later.by === 'agent' && overtakes(later.text, statement.choice.chosen.label, statement.choice.question));

/** Gathers what a session states, and drops what it takes back later. Memory stays flat. */
export class Statements {
  #held: SessionStatement[] = [];
  readonly #questions = new Map<string, string>();
  #turn = 0;
  #givenUp: readonly string[] = [];

  /** Typed sentences that give something up, perhaps what an earlier session settled. */
  get givenUp(): readonly string[] {
    return this.#givenUp;
  }

  get all(): readonly SessionStatement[] {
    return this.#held;
  }

  asked(callId: string, input: string): void {
    this.#questions.set(callId, input);
  }

  prompt(message: Message): void {
    const text = foreignText(message.text);
    const objection = objectionIn(text);
    if (objection === 'all') this.#held = this.#held.filter(({ kind }) => kind === 'rule');
    if (objection !== undefined) this.#held = this.#held.filter(({ turn }) => turn < this.#turn);
    this.#turn++;
    const sentences = typedSentences(text);
    for (const sentence of sentences) this.#takeBack({ text: sentence, by: 'user' });
    this.#givenUp = [...this.#givenUp, ...sentences.filter(givesUp)].slice(-MOST);
    this.#rules(sentences, message, false);
  }

  answer(message: Message, isForeign: (text: string) => boolean): void {
    const input = this.#questions.get(message.answers ?? '');
    if (input === undefined || message.failed === true) return;
    this.#questions.delete(message.answers ?? '');
    const { choices, typed } = choicesIn(input, foreignText(message.text));
    for (const choice of choices) {
      const { question, chosen } = choice;
      this.#held = this.#held.filter((held) => held.kind !== 'choice' || held.messageId === message.id || !replacesChoice(choice, held.choice));
      // The pick is the user's own word; the option may still be put in the words of a page.
      const foreign = isForeign(`${question} ${chosen.label} ${chosen.detail}`);
      this.#hold({ kind: 'choice', choice, messageId: message.id, turn: this.#turn, foreign });
    }
    this.#rules(typed, message, false);
  }

  reply(message: Message, sentences: readonly Sentence[], isForeign: (sentence: Sentence) => boolean): void {
    for (const sentence of sentences) {
      this.#takeBack({ text: `${sentence.label} ${sentence.text}`, by: 'agent' });
      const text = limitIn(sentence);
      if (text === undefined) continue;
      this.#hold({ kind: 'limit', text, under: sentence.under, messageId: message.id, turn: this.#turn, foreign: isForeign(sentence) });
    }
  }

  #rules(sentences: readonly string[], message: Message, foreign: boolean): void {
    sentences.forEach((sentence, at) => {
      const rule = ruleIn(sentence);
      const next = sentences[at + 1] ?? '';
      if (rule !== undefined) this.#hold({ kind: 'rule', rule, ...(GOES_ON.test(next) && { next }), messageId: message.id, turn: this.#turn, foreign });
    });
  }

  #hold(statement: SessionStatement): void {
    this.#held = [...this.#held, statement].slice(-MOST);
  }

  #takeBack(later: Later): void {
    if (this.#held.length > 0) this.#held = this.#held.filter((statement) => !isTakenBack(later, statement));
  }
}
