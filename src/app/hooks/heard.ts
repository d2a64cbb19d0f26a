import { personsWords } from '../../capture/read/claude-code/prompt.ts';
import { ASKS } from '../../capture/triage/triage.ts';
import type { Message } from '../../core/episode.ts';
import type { Result } from '../../core/result.ts';
import type { ChosenEpisode } from '../episodes/episodes.ts';
import { messagesIn } from '../episodes/read.ts';
import type { HookCall } from './call.ts';

const MOST = 100;

/** What the user has said in the sessions of one client, as far as its hooks have told. */
export class Heard {
  readonly #episodeOf: (transcript: string) => Promise<Result<ChosenEpisode>>;
  #prompts: readonly string[] = [];
  #transcript: string | undefined;
  #kept = new Set<string>();

  constructor(episodeOf: (transcript: string) => Promise<Result<ChosenEpisode>>) {
    this.#episodeOf = episodeOf;
  }

  note({ event, prompt, transcript }: HookCall): void {
    this.#transcript = transcript ?? this.#transcript;
    const words = event === 'UserPromptSubmit' && prompt !== undefined ? personsWords(prompt) : '';
    if (words !== '') this.#prompts = [...this.#prompts, words].slice(-MOST);
  }

  /** A record of this category was kept at the user's word. */
  keep(category: string): void {
    this.#kept.add(category);
  }

  /** What was kept so since this was last asked: the end of the turn need not ask for it again. */
  takeKept(): ReadonlySet<string> {
    const kept = this.#kept;
    this.#kept = new Set();
    return kept;
  }

  /** Looked for in the prompts first: some versions write the transcript only when the turn is over. Undefined where nothing has been heard. */
  async some(isIt: (prompt: string) => boolean): Promise<boolean | undefined> {
    if (this.#prompts.some(isIt)) return true;
    const found = this.#transcript === undefined ? undefined : await this.#episodeOf(this.#transcript);
    const told = found?.ok ? spokenIn(messagesIn(found.value.episode)) : [];
    return told.some(isIt) ? true : this.#prompts.length + told.length > 0 ? false : undefined;
  }
}

/** What a person typed, or answered to a question of the agent. */
function spokenIn(messages: readonly Message[]): readonly string[] {
  const asked = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ name }) => ASKS.test(name)).map(({ id }) => id)));
  return messages
    .filter(({ role, agentId, answers }) => agentId === undefined && (role === 'user' || (answers !== undefined && asked.has(answers))))
    .map(({ text }) => text);
}
