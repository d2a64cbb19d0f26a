import type { Message, ToolCall } from '../../core/episode/episode.ts';
import type { Limits } from './event.ts';
import { cutMiddle } from './value.ts';

/** A message while it is put together. */
export type Growing = { -readonly [Field in keyof Message]: Message[Field] };

/** One API message as its parts come in, with the answers of its tools waiting behind it. */
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

  /** True for a further part of the same message. */
  takes(sessionId: string, apiId: string | undefined): boolean {
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

  /** A repeated part repeats its calls. A call's input becomes part of its name only if another call has the same name. */
  #call(call: ToolCall): void {
    const name = `${call.id} ${call.name}`;
    const known = this.#calls.get(name);
    this.#calls.set(known === undefined || known.input === call.input ? name : `${name} ${call.input}`, call);
  }

  answer(message: Message, line: number): void {
    this.#answers.push(message);
    this.lastLine = line;
  }

  /** The message, if it says anything, and the answers after it. */
  messages(limits: Limits): readonly Message[] {
    if (this.#texts.length === 0 && this.#thoughts.length === 0 && this.#calls.size === 0) return this.#answers;
    const message: Growing = { ...this.#head, role: 'assistant', text: cutMiddle(this.#texts.join('\n\n'), limits.text) };
    if (this.#thoughts.length > 0) message.thinking = cutMiddle(this.#thoughts.join('\n\n'), limits.thinking);
    if (this.#calls.size > 0) message.toolCalls = [...this.#calls.values()];
    return [message, ...this.#answers];
  }
}
