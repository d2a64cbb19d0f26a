import { fingerprint } from '../event.ts';
import { RecentMap } from '../lru-set.ts';
import { personsWords } from './content.ts';

interface Queued {
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
 * Prompts typed while the agent works. One taken up when the turn is over comes again as a user record; one handed to the agent in mid-turn
 * (`remove`) is written nowhere else in many versions, and as an attachment too in others.
 */
export class PromptQueue {
  #waiting: Queued[] = [];
  #repeatIsNext = false;
  readonly #handedOver = new RecentMap<{ readonly source: Source; readonly line: number }>(16);

  /** Takes in one queue operation; returns the prompt that it hands over in mid-turn. */
  operate(operation: unknown, content: unknown, at: string | undefined, line: number): Queued | undefined {
    if (operation === 'enqueue') this.#enqueue(content, at, line);
    else if (operation === 'popAll') this.#waiting = [];
    else if (operation === 'dequeue') this.#repeatIsNext = this.#waiting.shift() === undefined;
    else if (operation === 'remove') return this.#waiting.shift();
    return undefined;
  }

  #enqueue(content: unknown, at: string | undefined, line: number): void {
    if (typeof content !== 'string' || /^\s*[/{]/.test(content) || this.#waiting.length >= MAX_QUEUED) return;
    const text = personsWords(content);
    if (text !== '') this.#waiting.push({ id: `queued-${fingerprint(at, text)}`, text, line, ...(at === undefined ? {} : { at }) });
  }

  /** True when the other source gave the same prompt a moment ago. */
  wasHandedOver(text: string, source: Source, line: number): boolean {
    const before = this.#handedOver.get(text);
    this.#handedOver.set(text, { source, line });
    return before !== undefined && before.source !== source && line - before.line < NEAR;
  }

  /** True for a user record that repeats a prompt taken for handed over: the queue does not say which of its entries leaves it. */
  repeats(text: string): boolean {
    const repeated = this.#repeatIsNext && this.#handedOver.get(text) !== undefined;
    this.#repeatIsNext = false;
    return repeated;
  }

  /** The line of the oldest prompt still waiting; one that waited too long is given up. */
  oldest(line: number): number | undefined {
    while (this.#waiting[0] !== undefined && line - this.#waiting[0].line > MAX_WAIT) this.#waiting.shift();
    return this.#waiting[0]?.line;
  }
}
