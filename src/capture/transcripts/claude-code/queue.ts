import { fingerprint } from '../event.ts';
import { RecentMap } from '../lru-set.ts';
import { userText } from './content.ts';

interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
  readonly at?: string;
  readonly line: number;
}

type Source = 'queue' | 'attachment';

const MAX_WAIT = 500;
const MAX_QUEUED = 32;
const NEAR = 50;

/**
 * Prompts typed while the agent works. A prompt sent after the turn is repeated as a user record; one sent during the turn (`remove`) is, depending on the
 * version, repeated as an attachment or not at all.
 */
export class PromptQueue {
  #waiting: QueuedPrompt[] = [];
  #repeatIsNext = false;
  readonly #handedOver = new RecentMap<{ readonly source: Source; readonly line: number }>(16);

  /** Applies one queue operation; returns the prompt that it sends during a turn. */
  apply(operation: unknown, content: unknown, at: string | undefined, line: number): QueuedPrompt | undefined {
    if (operation === 'enqueue') this.#enqueue(content, at, line);
    else if (operation === 'popAll') this.#waiting = [];
    else if (operation === 'dequeue') this.#repeatIsNext = this.#waiting.shift() === undefined;
    else if (operation === 'remove') return this.#waiting.shift();
    return undefined;
  }

  #enqueue(content: unknown, at: string | undefined, line: number): void {
    if (typeof content !== 'string' || /^\s*[/{]/.test(content) || this.#waiting.length >= MAX_QUEUED) return;
    const text = userText(content);
    if (text !== '') this.#waiting.push({ id: `queued-${fingerprint(at, text)}`, text, line, ...(at === undefined ? {} : { at }) });
  }

  /** Whether the other source had the same prompt a few lines ago. */
  wasHandedOver(text: string, source: Source, line: number): boolean {
    const before = this.#handedOver.get(text);
    this.#handedOver.set(text, { source, line });
    return before !== undefined && before.source !== source && line - before.line < NEAR;
  }

  /** Whether a user record repeats a prompt that was already reported: the queue does not say which of its entries it removes. */
  repeats(text: string): boolean {
    const repeated = this.#repeatIsNext && this.#handedOver.get(text) !== undefined;
    this.#repeatIsNext = false;
    return repeated;
  }

  /** The line of the oldest waiting prompt; drops prompts that wait too long. */
  oldest(line: number): number | undefined {
    while (this.#waiting[0] !== undefined && line - this.#waiting[0].line > MAX_WAIT) this.#waiting.shift();
    return this.#waiting[0]?.line;
  }
}
