import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { isChange } from '../triage/activity.ts';
import { foreignText } from '../triage/tool-answers.ts';
import { type TriageMatch, nearby } from '../triage/score.ts';
import type { SpokenPlace } from './dead-ends.ts';
import { objectionIn } from '../drafts/objections.ts';
import { readable } from './text.ts';

/** A prompt and the last reply to it. */
export interface ConversationTurn {
  readonly prompt: string;
  readonly promptId: string;
  /** The agent's last text before the next prompt; empty if there is none. */
  readonly closing: string;
  readonly closingId?: string;
  /** A tool was used for it. */
  readonly usedTool: boolean;
  /** Something was changed or run for it, not only read. */
  readonly didWork: boolean;
  /** The user refused a tool after the last text. */
  readonly wasRefused: boolean;
  /** The last text preceded a tool call: the agent was stopped, or its client ended. */
  readonly cutShort: boolean;
}

const FIRST = 6;
const LAST = 24;
const REMEMBERED = 5_000;
const PROMPT_LIMIT = 12_000;
/** A word that is a name: camel case, or with a dot or underscore in it. */
const NAME = /\b[A-Za-z]+[A-Z]\w+\b|\b\w+[._]\w+\b/g;
const REFUSED = /^The user doesn't want to (?:proceed|take this action)/;

const DELEGATES = /^(?:task|agent|spawn_agent)$/i;
/** Commands that only read. */
const LOOKS =
  /^(?:cd|ls|cat|head|tail|grep|rg|find|wc|pwd|which|echo|tree|stat|file|sort|jq|awk|sed -n|git (?:-C \S+ )?(?:log|status|diff|show|blame|branch|remote|rev-parse|ls-files|fetch)|gh (?:pr|issue|run|repo|release) (?:view|list|diff|checks|status)|gh api)\b/;

/** Whether a call changes something, runs something, or delegates work. */
const isWork = (call: ToolCall): boolean =>
  isChange(call) ||
  DELEGATES.test(call.name) ||
  (call.command !== undefined && call.command.split(/&&|\|\||[;|\n]/).some((part) => part.trim() !== '' && !LOOKS.test(part.trim())));

/** The turns of a session; for a very long session only the first and the last. */
export class ConversationTurns {
  readonly #first: ConversationTurn[] = [];
  #last: ConversationTurn[] = [];
  /** The position of each message of the agent. */
  readonly #spokenIn = new Map<string, SpokenPlace>();
  #spoken = 0;
  #open: ConversationTurn | undefined;

  add(message: Message): void {
    if (message.role === 'user') this.#addPrompt(message);
    else if (message.role === 'assistant') this.#addReply(message);
    else if (REFUSED.test(message.text) && this.#open !== undefined) this.#open = { ...this.#open, wasRefused: true };
  }

  get all(): readonly ConversationTurn[] {
    return [...this.#first, ...this.#last, ...(this.#open === undefined ? [] : [this.#open])];
  }

  /** The turns since the user last discarded all work. */
  get lastingTurns(): readonly ConversationTurn[] {
    const { all } = this;
    return all.slice(
      Math.max(
        0,
        all.findLastIndex(({ prompt }) => objectionIn(prompt) === 'all'),
      ),
    );
  }

  placeOf(messageId: string): SpokenPlace | undefined {
    return this.#spokenIn.get(messageId);
  }

  /** Whether a later prompt asks for work that a match deferred: they share a name. */
  isRequestedLater(match: TriageMatch): boolean {
    const turn = this.#spokenIn.get(match.passage.messageId)?.turn;
    const at = match.passage.sentences.indexOf(match.sentence);
    const names = [match.sentence, ...nearby(match.passage, at)].flatMap((sentence) => sentence.text.match(NAME) ?? []);
    const later = this.all.slice(this.all.findIndex((one) => one.promptId === turn) + 1);
    return turn !== undefined && later.some((one) => names.some((name) => one.prompt.includes(name)));
  }

  #addPrompt(message: Message): void {
    const prompt = readable(foreignText(message.text)).trim();
    if (prompt === '') return;
    this.#close();
    this.#open = {
      prompt: prompt.slice(0, PROMPT_LIMIT),
      promptId: message.id,
      closing: '',
      usedTool: false,
      didWork: false,
      wasRefused: false,
      cutShort: false,
    };
  }

  #addReply(message: Message): void {
    const calls = message.toolCalls ?? [];
    if (this.#open !== undefined && calls.length > 0)
      this.#open = { ...this.#open, usedTool: true, didWork: this.#open.didWork || calls.some(isWork), cutShort: true };
    const words = foreignText(message.text).trim();
    if (words === '') return;
    this.#open ??= { prompt: '', promptId: '', closing: '', usedTool: false, didWork: false, wasRefused: false, cutShort: false };
    this.#spokenIn.set(message.id, { turn: this.#open.promptId, at: ++this.#spoken });
    if (this.#spokenIn.size > REMEMBERED) this.#spokenIn.delete(this.#spokenIn.keys().next().value as string);
    this.#open = { ...this.#open, closing: words, closingId: message.id, wasRefused: false, cutShort: calls.length > 0 };
  }

  #close(): void {
    if (this.#open === undefined) return;
    if (this.#first.length < FIRST) this.#first.push(this.#open);
    else this.#last = [...this.#last, this.#open].slice(-LAST);
    this.#open = undefined;
  }
}
