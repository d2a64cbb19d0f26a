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
import { givesUp, isFaulted, objectionIn, overtakes, takesBack, type LaterSentence } from './objections.ts';

interface UserStatement {
  readonly messageId: string;
  /** The number of its prompt in the session. */
  readonly turn: number;
  /** The request of that prompt in one line, because the task may change during a long session. */
  readonly during: string;
  /** It may repeat text of a tool or the web. */
  readonly foreign: boolean;
}

/** The statements of a session: rules that the user typed, choices that the user made, decisions of a plan that the user approved, and limits that the agent met. */
export type SessionStatement = UserStatement &
  (
    | {
        readonly kind: 'rule';
        readonly rule: StandingRule;
        /** The next sentence, if it says what to do instead. */
        readonly next?: string;
        /** A rule about private life does not belong to the project. */
        readonly topic: Topic;
      }
    | { readonly kind: 'choice'; readonly choice: UserChoice; /** The title of the document that records the answer. */ readonly about?: string }
    | { readonly kind: 'limit'; readonly text: string; readonly under: string }
    | { readonly kind: 'plan'; readonly plan: PlanDecisions }
  );

const MOST = 80;
const DURING = 160;
/** A sentence that says what to do instead. */
const GOES_ON = /^(?:instead|rather|use|you can|you should|fix|do|only|just)\b(?!.*\?$).{15,200}$/i;

const wordsIn = (one: Exclude<SessionStatement, { kind: 'plan' }>): string => {
  if (one.kind === 'rule') return one.rule.text;
  return one.kind === 'limit' ? one.text : `${one.choice.question} ${one.choice.chosen.label}`;
};

/** Whether a later sentence withdraws a statement. A choice is also withdrawn if the agent reports its replacement. */
const isWithdrawn = (later: LaterSentence, one: Exclude<SessionStatement, { kind: 'plan' }>): boolean =>
  takesBack(later, wordsIn(one), one.kind) ||
  (one.kind === 'choice' && later.by === 'agent' && overtakes(later.text, one.choice.chosen.label, one.choice.question));

/** The rest of a statement after a later sentence: nothing if it is withdrawn; a plan loses only the withdrawn decision. */
function restOf(one: SessionStatement, later: LaterSentence): SessionStatement[] {
  if (one.kind !== 'plan') return isWithdrawn(later, one) ? [] : [one];
  const items = one.plan.items.filter(({ text }) => !takesBack(later, text, 'choice'));
  if (items.length === one.plan.items.length) return [one];
  return items.length === 0 ? [] : [{ ...one, plan: { ...one.plan, items } }];
}

/** Collects the statements of a session and drops those that are withdrawn later. Memory use is bounded. */
export class Statements {
  one: SessionStatement[] = [];
  readonly #questions = new Map<string, string>();
  readonly #plans = new Map<string, string>();
  #turn = 0;
  #during = '';
  /** A question that the user answered with a question. */
  #open = '';
  #withdrawals: readonly string[] = [];

  /** Typed sentences that withdraw something, perhaps a decision of an earlier session. */
  get withdrawals(): readonly string[] {
    return this.#withdrawals;
  }

  get all(): readonly SessionStatement[] {
    return this.one;
  }

  addQuestion(callId: string, input: string): void {
    this.#questions.set(callId, input);
  }

  /** Adds a submitted plan. Answers of the same turn belong to it, whether or not it is approved. */
  addPlan(callId: string, input: string): void {
    this.#plans.set(callId, input);
    this.#nameChoices(input);
  }

  /** Adds a written document. Answers of the same turn belong to it if it contains one of them. */
  addDocument(document: string): void {
    const text = document.toLowerCase();
    if (this.one.some((one) => one.kind === 'choice' && one.turn === this.#turn && text.includes(one.choice.chosen.label.toLowerCase())))
      this.#nameChoices(document);
  }

  prompt(message: Message, topic: Topic = 'work'): void {
    const text = foreignText(message.text);
    const objection = objectionIn(text);
    if (objection === 'all') this.one = this.one.filter(({ kind }) => kind === 'rule');
    if (objection !== undefined) this.one = this.one.filter(({ turn }) => turn < this.#turn);
    this.one = this.one.filter((one) => one.kind !== 'choice' || !isFaulted(text, `${one.choice.chosen.label} ${one.choice.chosen.detail}`));
    this.#turn++;
    const sentences = typedSentences(text);
    this.#during = startUpper(shortened(sentences.filter((sentence) => ruleIn(sentence) === undefined).join(' '), DURING));
    for (const sentence of sentences) this.#withdraw({ text: sentence, by: 'user' });
    this.#withdrawals = [...this.#withdrawals, ...sentences.filter(givesUp)].slice(-MOST);
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
      this.one = this.one.filter((one) => one.kind !== 'choice' || one.messageId === message.id || !replacesChoice(choice, one.choice));
      // The user made the choice, but the option's text may come from a page.
      const foreign = choice.isTyped !== true && isForeign(`${question} ${chosen.label} ${chosen.detail}`);
      this.#add({ kind: 'choice', choice, ...this.#at(message), foreign });
    }
    this.#rules(typed, message, 'work');
  }

  reply(message: Message, sentences: readonly Sentence[], isForeign: (sentence: Sentence) => boolean): void {
    for (const sentence of sentences) {
      this.#withdraw({ text: `${sentence.label} ${sentence.text}`, by: 'agent' });
      const text = limitIn(sentence);
      if (text === undefined) continue;
      this.#add({ kind: 'limit', text, under: sentence.under, ...this.#at(message), foreign: isForeign(sentence) });
    }
  }

  #rules(sentences: readonly string[], message: Message, topic: Topic): void {
    sentences.forEach((sentence, at) => {
      const rule = ruleIn(sentence);
      const next = sentences[at + 1] ?? '';
      if (rule !== undefined) this.#add({ kind: 'rule', rule, topic, ...(GOES_ON.test(next) && { next }), ...this.#at(message), foreign: false });
    });
  }

  /** Adds the decisions that an approved plan lists as the user's. */
  #plan(text: string, message: Message, foreign: boolean): void {
    const plan = listedDecisions(text);
    if (plan !== undefined) this.#add({ kind: 'plan', plan, ...this.#at(message), foreign });
  }

  #nameChoices(document: string): void {
    const about = documentTitle(document);
    if (about === '') return;
    this.one = this.one.map((one) => (one.kind === 'choice' && one.turn === this.#turn && one.about === undefined ? { ...one, about } : one));
  }

  #at({ id }: Message): Pick<UserStatement, 'messageId' | 'turn' | 'during'> {
    return { messageId: id, turn: this.#turn, during: this.#during };
  }

  #add(one: SessionStatement): void {
    this.one = [...this.one, one].slice(-MOST);
  }

  #withdraw(later: LaterSentence): void {
    if (this.one.length > 0) this.one = this.one.flatMap((one) => restOf(one, later));
  }
}
