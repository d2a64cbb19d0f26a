import { userText } from '../../capture/transcripts/claude-code/content.ts';
import { ToolAnswers } from '../../capture/triage/tool-answers.ts';
import { ASKS } from '../../capture/triage/triage.ts';
import type { Message } from '../../core/episode/episode.ts';
import type { TypedNote } from '../../core/ports/session-states.ts';
import type { Result } from '../../core/result.ts';
import { redact } from '../../core/redact/text.ts';
import { isQuoted, type Prompt } from '../../core/trust/request.ts';
import type { ChosenEpisode } from '../episodes/episodes.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import type { HookCall } from './call.ts';

const MOST = 100;
const QUESTION_END = 600;
const DELEGATED = 'delegated';
const DELEGATES = /^(?:Agent|Task)$/;
const SAVES = /__memory_save$/;

/** The user's words, and whether the agent has read outside text since. */
export interface UserPromptsState {
  readonly prompts: readonly Prompt[];
  readonly afterOutside: boolean;
}

/** A subagent that is about to hand in its report. */
export interface Reporter {
  readonly agentId: string;
  readonly agentType?: string;
}

export interface PromptSources {
  episodeOf(transcript: string): Promise<Result<ChosenEpisode>>;
  /** Prompts noted by hooks that run as processes. */
  typed(): Promise<TypedNote | undefined>;
}

/** The user's prompts in the sessions of one client, as its hooks reported them. */
export class UserPrompts {
  readonly #from: PromptSources;
  #prompts: readonly Prompt[] = [];
  #transcript: string | undefined;
  #kept = new Set<string>();
  #reporters = new Map<string, Reporter>();
  #sources = new ToolAnswers();
  #session: string | undefined;
  #isAsked = false;
  #lastReply = '';
  #hasPrompt = false;

  constructor(from: PromptSources) {
    this.#from = from;
  }

  note(call: HookCall): void {
    const { event, prompt, transcript, session, cwd, lastMessage } = call;
    if (session !== undefined && session !== this.#session) this.#begin(session, cwd);
    this.#transcript = transcript ?? this.#transcript;
    if (event === 'UserPromptSubmit' && prompt !== undefined && call.agentId === undefined) this.#hear(userText(prompt));
    else if (event === 'PreToolUse') this.#use(call);
    else if (event === 'SubagentStop') this.#sources.add(message({ role: 'tool', answers: DELEGATED }));
    else if (event === 'Stop') {
      this.#isAsked = asks(lastMessage ?? '');
      this.#lastReply = lastMessage ?? '';
    }
  }

  /** Prompts of another session do not count as requests in this one. */
  #begin(session: string, cwd: string | undefined): void {
    this.#session = session;
    this.#sources = new ToolAnswers({ project: cwd });
    this.#prompts = [];
    this.#transcript = undefined;
    this.#reporters.clear();
    this.#isAsked = false;
  }

  #hear(text: string): void {
    if (text === '') return;
    this.#prompts = [...this.#prompts, { text, answersQuestion: this.#isAsked }].slice(-MOST);
    this.#hasPrompt = true;
    this.#isAsked = false;
    this.#sources.add(message({ role: 'user', text }));
  }

  #use({ tool = '', file, command, agentId, callerType }: HookCall): void {
    if (agentId !== undefined && file !== undefined && SAVES.test(tool) && !this.isTaken(file, agentId))
      this.#reporters.set(file, { agentId, ...(callerType !== undefined && { agentType: callerType }) });
    const used = {
      id: DELEGATES.test(tool) ? DELEGATED : '',
      name: tool,
      input: '',
      files: file === undefined ? [] : [file],
      ...(command !== undefined && { command }),
    };
    this.#sources.add(message({ role: 'assistant', toolCalls: [used], ...(agentId !== undefined && { agentId }) }));
  }

  /** The subagent whose call of memory_save named this file. */
  reporter(file: string): Reporter | undefined {
    return this.#reporters.get(file);
  }

  /** Whether another subagent reports under this name. */
  isTaken(file: string, agentId: string): boolean {
    return (this.#reporters.get(file)?.agentId ?? agentId) !== agentId;
  }

  /** Notes that the agent saved a record of this category at the user's request. */
  keep(category: string): void {
    this.#kept.add(category);
  }

  /** Categories saved so since the last call; the end of the turn does not ask for them again. */
  takeKept(): ReadonlySet<string> {
    const saved = this.#kept;
    this.#kept = new Set();
    return saved;
  }

  /** Whether the user has typed something since the last call. */
  takePrompt(): boolean {
    const has = this.#hasPrompt;
    this.#hasPrompt = false;
    return has;
  }

  /** All words of the session so far; undefined if its transcript cannot be read. */
  async words(): Promise<ReadonlySet<string> | undefined> {
    const typed = await this.#typedElsewhere();
    const episode = await this.#episode(typed?.transcript);
    if (!episode) return undefined;
    const { quotedIn } = await import('../drafting/answer.ts');
    // The transcript may not hold the reply that ended the turn yet.
    const ending = message({ role: 'assistant', text: this.#lastReply });
    const spoken = (typed?.prompts ?? this.#prompts.map(({ text }) => text)).map((text) => message({ role: 'user', text }));
    return quotedIn([...messagesIn(episode), ...spoken, ending], episode.facts);
  }

  /** Prompts that hooks reported, and those of the transcript, which some versions write only after the turn. */
  async soFar(): Promise<UserPromptsState> {
    const typed = await this.#typedElsewhere();
    const episode = await this.#episode(typed?.transcript);
    const messages = episode ? [...messagesIn(episode)] : [];
    const typedPrompts = spokenIn(messages);
    if (!typed) return { prompts: [...this.#prompts, ...typedPrompts], afterOutside: this.#sources.readsOutside };
    const prompts = [...typed.prompts.map((text) => ({ text, answersQuestion: false })), ...typedPrompts];
    return { prompts, afterOutside: !isWhole(messages, typed) || readsOutside(messages, episode?.facts.project) };
  }

  /** A client whose hooks ask the server reports every prompt to it. */
  async #typedElsewhere(): Promise<TypedNote | undefined> {
    return this.#session === undefined ? this.#from.typed() : undefined;
  }

  async #episode(transcript = this.#transcript): Promise<Episode | undefined> {
    const found = transcript === undefined ? undefined : await this.#from.episodeOf(transcript);
    return found?.ok ? found.value.episode : undefined;
  }
}

const message = (part: Partial<Message> & Pick<Message, 'role'>): Message => ({ id: '', sessionId: '', text: '', ...part });

/** Whether a transcript has come as far as the last prompt: one that lags does not show what the agent has read since. */
const isWhole = (messages: readonly Message[], { prompts }: TypedNote): boolean =>
  messages.some(({ role, text }) => role === 'user' && isQuoted(prompts.at(-1) ?? '', redact(text).text));

function readsOutside(messages: readonly Message[], project: string | undefined): boolean {
  const sources = new ToolAnswers({ project });
  for (const one of messages) sources.add(one);
  return sources.readsOutside;
}

const asks = (text: string): boolean => /[?？؟]/.test(text.slice(-QUESTION_END));

/** Text that the user typed, or answered to the agent's question. */
function spokenIn(messages: readonly Message[]): readonly Prompt[] {
  const questions = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ name }) => ASKS.test(name)).map(({ id }) => id)));
  const prompts: Prompt[] = [];
  let isAsked = false;
  for (const { role, agentId, answers, failed, text } of messages) {
    if (agentId !== undefined) continue;
    if (role === 'assistant' && text !== '') isAsked = asks(text);
    else if (role === 'user') {
      prompts.push({ text, answersQuestion: isAsked });
      isAsked = false;
    } else if (answers !== undefined && questions.has(answers) && failed !== true) prompts.push(...picked(text));
  }
  return prompts;
}

/** The answers alone of `"Question?"="Answer"` pairs: the questions are the agent's words. */
const picked = (text: string): readonly Prompt[] =>
  [...text.matchAll(/"\s*=\s*"((?:[^"\\]|\\.){1,400})"/g)].map(([, answer = '']) => ({ text: answer, answersQuestion: true }));
