import type { Message } from '../../core/episode/episode.ts';
import { ruleIn, type StandingRule } from '../../core/rules/standing-rule.ts';
import { startsPlan, typedSentences } from '../../core/rules/typed-sentences.ts';
import { shortened, startUpper } from '../summary/text.ts';
import type { Topic } from '../triage/context.ts';
import type { Sentence } from '../triage/prose.ts';
import { foreignText } from '../triage/tool-answers.ts';
import { type UserChoice, choicesIn, openQuestion, replacesChoice } from './choices.ts';
import { limitIn } from './limits.ts';
import { documentTitle, listedDecisions, type PlanDecisions } from './plan-decisions.ts';
import { givesUp, isFaulted, objectionIn, overtakes, takesBack, type Later } from './objections.ts';

interface UserStatement {
  readonly messageId: string;
  /** The prompt under which it was said, counted from the start. */
  readonly turn: number;
  /** The request of that prompt in one line; in a long session the task may have been another. */
  readonly during: string;
  /** A tool or the web may have said it first. */
  readonly foreign: boolean;
}

/** The statements of a session: rules that the user typed, choices that the user made, decisions of a plan that the user approved, and limits that the agent met. */
export type SessionStatement = UserStatement &
  (
    | {
        readonly kind: 'rule';
        readonly rule: StandingRule;
        /** What to do instead, said right after it. */
        readonly next?: string;
        /** A rule of life is none of the project's. */
        readonly topic: Topic;
      }
    | { readonly kind: 'choice'; readonly choice: UserChoice; /** The document that writes the answer down, by its title. */ readonly about?: string }
    | { readonly kind: 'limit'; readonly text: string; readonly under: string }
    | { readonly kind: 'plan'; readonly plan: PlanDecisions }
  );

const MOST = 80;
const DURING = 160;
/** The next sentence tells what to do instead. */
const GOES_ON = /^(?:instead|rather|use|you can|you should|fix|do|only|just)\b(?!.*\?$).{15,200}$/i;

const wordsIn = (statement: Exclude<SessionStatement, { kind: 'plan' }>): string => {
  if (statement.kind === 'rule') return statement.rule.text;
  return statement.kind === 'limit' ? statement.text : `${statement.choice.question} ${statement.choice.chosen.label}`;
};

/** A choice can also be overtaken by what the agent made of it. */
const isTakenBack = (later: Later, statement: Exclude<SessionStatement, { kind: 'plan' }>): boolean =>
  takesBack(later, wordsIn(statement), statement.kind) ||
  (statement.kind === 'choice' && later.by === 'agent' && overtakes(later.text, statement.choice.chosen.label, statement.choice.question));

/** A statement after a later sentence has changed it; a plan loses the decision that the sentence withdraws. */
function leftOf(statement: SessionStatement, later: Later): SessionStatement[] {
  if (statement.kind !== 'plan') return isTakenBack(later, statement) ? [] : [statement];
  const items = statement.plan.items.filter(({ text }) => !takesBack(later, text, 'choice'));
  if (items.length === statement.plan.items.length) return [statement];
  return items.length === 0 ? [] : [{ ...statement, plan: { ...statement.plan, items } }];
}

/** Gathers what a session states, and drops what it takes back later. Memory stays flat. */
export class Statements {
  #held: SessionStatement[] = [];
  readonly #questions = new Map<string, string>();
  readonly #plans = new Map<string, string>();
  #turn = 0;
  #during = '';
  /** A question that the user answered with a question. */
  #open = '';
  #givenUp: readonly string[] = [];

  /** Typed sentences that give something up, perhaps what an earlier session settled. */
  get givenUp(): readonly string[] {
    return this.#givenUp;
  }

  get all(): readonly SessionStatement[] {
    return this.#held;
  }

  addQuestion(callId: string, input: string): void {
    this.#questions.set(callId, input);
  }

  /** A plan that follows answers in their turn is what they were asked for, whether or not it is approved. */
  planned(callId: string, input: string): void {
    this.#plans.set(callId, input);
    this.#name(input);
  }

  /** So is a document that holds one of the answers. */
  wrote(document: string): void {
    const text = document.toLowerCase();
    if (this.#held.some((held) => held.kind === 'choice' && held.turn === this.#turn && text.includes(held.choice.chosen.label.toLowerCase())))
      this.#name(document);
  }

  prompt(message: Message, topic: Topic = 'work'): void {
    const text = foreignText(message.text);
    const objection = objectionIn(text);
    if (objection === 'all') this.#held = this.#held.filter(({ kind }) => kind === 'rule');
    if (objection !== undefined) this.#held = this.#held.filter(({ turn }) => turn < this.#turn);
    this.#held = this.#held.filter((held) => held.kind !== 'choice' || !isFaulted(text, `${held.choice.chosen.label} ${held.choice.chosen.detail}`));
    this.#turn++;
    const sentences = typedSentences(text);
    this.#during = startUpper(shortened(sentences.filter((sentence) => ruleIn(sentence) === undefined).join(' '), DURING));
    for (const sentence of sentences) this.#takeBack({ text: sentence, by: 'user' });
    this.#givenUp = [...this.#givenUp, ...sentences.filter(givesUp)].slice(-MOST);
    this.#rules(sentences, message, topic);
    if (startsPlan(text)) this.#plan(text, message, false);
  }

  answer(message: Message, isForeign: (text: string) => boolean): void {
    const plan = this.#plans.get(message.answers ?? '');
    if (plan !== undefined && message.failed !== true) this.#plan(plan, message, isForeign(plan));
    const input = this.#questions.get(message.answers ?? '');
    if (input === undefined || message.failed === true) return;
    this.#questions.delete(message.answers ?? '');
    const text = foreignText(message.text);
    const { choices, typed } = choicesIn(input, text, this.#open);
    this.#open = openQuestion(text);
    for (const choice of choices) {
      const { question, chosen } = choice;
      this.#held = this.#held.filter((held) => held.kind !== 'choice' || held.messageId === message.id || !replacesChoice(choice, held.choice));
      // The pick is the user's own word; the option may still be put in the words of a page.
      const foreign = choice.isTyped !== true && isForeign(`${question} ${chosen.label} ${chosen.detail}`);
      this.#hold({ kind: 'choice', choice, ...this.#at(message), foreign });
    }
    this.#rules(typed, message, 'work');
  }

  reply(message: Message, sentences: readonly Sentence[], isForeign: (sentence: Sentence) => boolean): void {
    for (const sentence of sentences) {
      this.#takeBack({ text: `${sentence.label} ${sentence.text}`, by: 'agent' });
      const text = limitIn(sentence);
      if (text === undefined) continue;
      this.#hold({ kind: 'limit', text, under: sentence.under, ...this.#at(message), foreign: isForeign(sentence) });
    }
  }

  #rules(sentences: readonly string[], message: Message, topic: Topic): void {
    sentences.forEach((sentence, at) => {
      const rule = ruleIn(sentence);
      const next = sentences[at + 1] ?? '';
      if (rule !== undefined) this.#hold({ kind: 'rule', rule, topic, ...(GOES_ON.test(next) && { next }), ...this.#at(message), foreign: false });
    });
  }

  /** A plan is approved as a whole: what it lists as the user's decisions is decided. */
  #plan(text: string, message: Message, foreign: boolean): void {
    const plan = listedDecisions(text);
    if (plan !== undefined) this.#hold({ kind: 'plan', plan, ...this.#at(message), foreign });
  }

  #name(document: string): void {
    const about = documentTitle(document);
    if (about === '') return;
    this.#held = this.#held.map((held) => (held.kind === 'choice' && held.turn === this.#turn && held.about === undefined ? { ...held, about } : held));
  }

  #at({ id }: Message): Pick<UserStatement, 'messageId' | 'turn' | 'during'> {
    return { messageId: id, turn: this.#turn, during: this.#during };
  }

  #hold(statement: SessionStatement): void {
    this.#held = [...this.#held, statement].slice(-MOST);
  }

  #takeBack(later: Later): void {
    if (this.#held.length > 0) this.#held = this.#held.flatMap((statement) => leftOf(statement, later));
  }
}
