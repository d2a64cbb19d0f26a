import type { Message, ToolCall } from '../../core/episode/episode.ts';
import type { Limits } from './event.ts';
import { cutMiddle } from './value.ts';

/** A message under construction. */
export type MutableMessage = { -readonly [Field in keyof Message]: Message[Field] };

/** Collects the parts of one API message and the answers of its tools. */
export class MessageBuilder {
  readonly line: number;
  lastLine: number;
  readonly #apiId: string | undefined;
  readonly #head: Pick<Message, 'id' | 'sessionId' | 'at' | 'agentId'>;
  readonly #texts: string[] = [];
  readonly #thoughts: string[] = [];
  readonly #calls = new Map<string, ToolCall>();
  readonly #answers: Message[] = [];

  constructor(head: Pick<Message, 'id' | 'sessionId' | 'at' | 'agentId'>, apiId: string | undefined, line: number) {
    this.#head = head;
    this.#apiId = apiId;
    this.line = line;
    this.lastLine = line;
  }

  /** Whether a record is a further part of the same message. */
  continues(sessionId: string, apiId: string | undefined): boolean {
    return apiId !== undefined && apiId === this.#apiId && sessionId === this.#head.sessionId;
  }

  get answers(): number {
    return this.#answers.length;
  }

  add(text: string, thinking: string, calls: readonly ToolCall[], line: number): void {
    if (text !== '') this.#texts.push(text);
    if (thinking !== '') this.#thoughts.push(thinking);
    for (const call of calls) this.#call(call);
    this.lastLine = line;
  }

  /** Adds a call once, although a repeated part repeats its calls. Calls with the same id and name but another input are different. */
  #call(call: ToolCall): void {
    const name = `${call.id} ${call.name}`;
    const known = this.#calls.get(name);
    this.#calls.set(known === undefined || known.input === call.input ? name : `${name} ${call.input}`, call);
  }

  answer(message: Message, line: number): void {
    this.#answers.push(message);
    this.lastLine = line;
  }

  /** The message, unless it is empty, and the answers after it. */
  messages(limits: Limits): readonly Message[] {
    if (this.#texts.length === 0 && this.#thoughts.length === 0 && this.#calls.size === 0) return this.#answers;
    const message: MutableMessage = { ...this.#head, role: 'assistant', text: cutMiddle(this.#texts.join('\n\n'), limits.text) };
    if (this.#thoughts.length > 0) message.thinking = cutMiddle(this.#thoughts.join('\n\n'), limits.thinking);
    if (this.#calls.size > 0) message.toolCalls = [...this.#calls.values()];
    return [message, ...this.#answers];
  }
}
