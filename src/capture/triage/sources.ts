import type { Message } from '../../core/episode.ts';
import type { Sentence } from './prose.ts';

/** Tools that bring in text from outside the project; our own search does not. */
const WEB =
  /^(?:web_?(?:fetch|search)|fetch|google_web_search|browser|mcp__(?!(?:plugin_memory_)?holdfast__).*(?:fetch|search|browse|scrape|crawl|navigate).*)$/i;

export const isWeb = (tool: string): boolean => WEB.test(tool);
const KEPT = 4;
const LEAST = 40;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Remembers what tools answered lately, to tell an agent's own words from what it repeats. */
export class Sources {
  readonly #webCalls = new Set<string>();
  #answers: string[] = [];
  #afterWeb = false;

  /** Called for every message, before its words are judged. */
  add(message: Message): void {
    for (const call of message.toolCalls ?? []) if (isWeb(call.name)) this.#webCalls.add(call.id);
    if (message.role === 'user') this.#afterWeb = false;
    if (message.role !== 'tool' || message.answers === undefined) return;
    if (this.#webCalls.delete(message.answers)) this.#afterWeb = true;
    this.#answers = [...this.#answers, plain(message.text)].slice(-KEPT);
  }

  /** The web was read since the last prompt. */
  get afterWeb(): boolean {
    return this.#afterWeb;
  }

  /** Whether a sentence stands word for word in what a tool answered. */
  repeats(sentence: Sentence): boolean {
    const words = plain(sentence.text);
    return words.length >= LEAST && this.#answers.some((answer) => answer.includes(words));
  }
}
