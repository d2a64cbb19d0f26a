import { userText } from '../../capture/transcripts/claude-code/content.ts';
import { QUESTION_TOOL, ToolAnswers } from '../../capture/triage/tool-answers.ts';
import type { Message } from '../../core/episode/episode.ts';
import type { TypedNote } from '../../core/ports/session-states.ts';
import type { Result } from '../../core/result.ts';
import { redact } from '../../core/redact/text.ts';
import { isQuoted, type Prompt } from '../../core/trust/request.ts';
import type { ChosenEpisode } from '../episodes/episodes.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import type { HookCall } from './call.ts';

const MAX_PROMPTS = 100;
const REPLY_END_LENGTH = 600;
const SUBAGENT_CALL = 'delegated';
const SUBAGENT_TOOL = /^(?:Agent|Task)$/;
const SAVE_TOOL = /__memory_save$/;

/** The user's prompts, and whether the agent has read outside text since the last one. */
export interface UserPromptsState {
  readonly prompts: readonly Prompt[];
  readonly afterOutside: boolean;
}

/** A subagent that is about to save its report. */
export interface Reporter {
  readonly agentId: string;
  readonly agentType?: string;
}

export interface PromptSources {
  episodeOf(transcript: string): Promise<Result<ChosenEpisode>>;
  /** Prompts noted by hooks that run as processes. */
  typedPrompts(): Promise<TypedNote | undefined>;
}

/** The user's prompts in the sessions of one client, as its hooks reported them. */
export class UserPrompts {
  readonly #sources: PromptSources;
  #prompts: readonly Prompt[] = [];
  #transcript: string | undefined;
  #savedCategories = new Set<string>();
  #reporters = new Map<string, Reporter>();
  #toolAnswers = new ToolAnswers();
  #session: string | undefined;
  #endsWithQuestion = false;
  #lastReply = '';
  #hasNewPrompt = false;

  constructor(sources: PromptSources) {
    this.#sources = sources;
  }

  noteEvent(call: HookCall): void {
    const { event, prompt, transcript, session, cwd, lastMessage } = call;
    if (session !== undefined && session !== this.#session) this.#beginSession(session, cwd);
    this.#transcript = transcript ?? this.#transcript;
    if (event === 'UserPromptSubmit' && prompt !== undefined && call.agentId === undefined) this.#addPrompt(userText(prompt));
    else if (event === 'PreToolUse') this.#noteToolCall(call);
    else if (event === 'SubagentStop') this.#toolAnswers.add(message({ role: 'tool', answers: SUBAGENT_CALL }));
    else if (event === 'Stop') {
      this.#endsWithQuestion = endsWithQuestion(lastMessage ?? '');
      this.#lastReply = lastMessage ?? '';
    }
  }

  /** Prompts of another session do not count as requests in this one. */
  #beginSession(session: string, cwd: string | undefined): void {
    this.#session = session;
    this.#toolAnswers = new ToolAnswers({ project: cwd });
    this.#prompts = [];
    this.#transcript = undefined;
    this.#reporters.clear();
    this.#endsWithQuestion = false;
    this.#lastReply = '';
    this.#savedCategories = new Set();
    this.#hasNewPrompt = false;
  }

  #addPrompt(text: string): void {
    if (text === '') return;
    this.#prompts = [...this.#prompts, { text, answersQuestion: this.#endsWithQuestion }].slice(-MAX_PROMPTS);
    this.#hasNewPrompt = true;
    this.#endsWithQuestion = false;
    this.#toolAnswers.add(message({ role: 'user', text }));
  }

  #noteToolCall({ tool = '', file, command, agentId, callerType }: HookCall): void {
    if (agentId !== undefined && file !== undefined && SAVE_TOOL.test(tool) && !this.isReportOfOther(file, agentId))
      this.#reporters.set(file, { agentId, ...(callerType !== undefined && { agentType: callerType }) });
    const toolCall = {
      id: SUBAGENT_TOOL.test(tool) ? SUBAGENT_CALL : '',
      name: tool,
      input: '',
      files: file === undefined ? [] : [file],
      ...(command !== undefined && { command }),
    };
    this.#toolAnswers.add(message({ role: 'assistant', toolCalls: [toolCall], ...(agentId !== undefined && { agentId }) }));
  }

  /** The subagent whose call of memory_save named this file. */
  reporter(file: string): Reporter | undefined {
    return this.#reporters.get(file);
  }

  /** Whether another subagent saves its report under this name. */
  isReportOfOther(file: string, agentId: string): boolean {
    return (this.#reporters.get(file)?.agentId ?? agentId) !== agentId;
  }

  /** Notes that the agent saved a record of this category at the user's request. */
  noteSaved(category: string): void {
    this.#savedCategories.add(category);
  }

  /** Categories noted since the last call of this method; the end of the turn does not ask for them again. */
  takeSavedCategories(): ReadonlySet<string> {
    const saved = this.#savedCategories;
    this.#savedCategories = new Set();
    return saved;
  }

  /** Whether the user has typed a prompt since the last call of this method. */
  takeNewPrompt(): boolean {
    const hasNewPrompt = this.#hasNewPrompt;
    this.#hasNewPrompt = false;
    return hasNewPrompt;
  }

  /** All words of the session so far; undefined if its transcript cannot be read. */
  async words(): Promise<ReadonlySet<string> | undefined> {
    const typed = await this.#promptsOfHookProcesses();
    const episode = await this.#episode(typed?.transcript);
    if (!episode) return undefined;
    const { conversationWords } = await import('../drafting/answer.ts');
    // The transcript may not hold the reply that ended the turn yet.
    const lastReply = message({ role: 'assistant', text: this.#lastReply });
    const prompts = (typed?.prompts ?? this.#prompts.map(({ text }) => text)).map((text) => message({ role: 'user', text }));
    return conversationWords([...messagesIn(episode), ...prompts, lastReply], episode.facts);
  }

  /** Prompts that hooks reported, and those of the transcript, which some versions write only after the turn. */
  async all(): Promise<UserPromptsState> {
    const typed = await this.#promptsOfHookProcesses();
    const episode = await this.#episode(typed?.transcript);
    const messages = episode ? [...messagesIn(episode)] : [];
    const transcriptPrompts = promptsIn(messages);
    if (!typed) return { prompts: [...this.#prompts, ...transcriptPrompts], afterOutside: this.#toolAnswers.readsOutside };
    const prompts = [...typed.prompts.map((text) => ({ text, answersQuestion: false })), ...transcriptPrompts];
    return { prompts, afterOutside: !holdsLastPrompt(messages, typed) || readsOutside(messages, episode?.facts.project) };
  }

  /** The prompts that hook processes noted; undefined if the client's hooks report to this server. */
  async #promptsOfHookProcesses(): Promise<TypedNote | undefined> {
    return this.#session === undefined ? this.#sources.typedPrompts() : undefined;
  }

  async #episode(transcript = this.#transcript): Promise<Episode | undefined> {
    const found = transcript === undefined ? undefined : await this.#sources.episodeOf(transcript);
    return found?.ok ? found.value.episode : undefined;
  }
}

const message = (part: Partial<Message> & Pick<Message, 'role'>): Message => ({ id: '', sessionId: '', text: '', ...part });

/** Whether a transcript holds the last prompt; one that lags does not show what the agent has read since. */
const holdsLastPrompt = (messages: readonly Message[], { prompts }: TypedNote): boolean =>
  messages.some(({ role, text }) => role === 'user' && isQuoted(prompts.at(-1) ?? '', redact(text).text));

function readsOutside(messages: readonly Message[], project: string | undefined): boolean {
  const toolAnswers = new ToolAnswers({ project });
  for (const one of messages) toolAnswers.add(one);
  return toolAnswers.readsOutside;
}

const endsWithQuestion = (text: string): boolean => /[?？؟]/.test(text.slice(-REPLY_END_LENGTH));

/** What the user typed, and the user's answers to the agent's questions. */
function promptsIn(messages: readonly Message[]): readonly Prompt[] {
  const questions = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ name }) => QUESTION_TOOL.test(name)).map(({ id }) => id)));
  const prompts: Prompt[] = [];
  let afterQuestion = false;
  for (const { role, agentId, answers, failed, text } of messages) {
    if (agentId !== undefined) continue;
    if (role === 'assistant' && text !== '') afterQuestion = endsWithQuestion(text);
    else if (role === 'user') {
      prompts.push({ text, answersQuestion: afterQuestion });
      afterQuestion = false;
    } else if (answers !== undefined && questions.has(answers) && failed !== true) prompts.push(...givenAnswers(text));
  }
  return prompts;
}

/** The answers of `"Question?"="Answer"` pairs, without the questions, which the agent wrote. */
const givenAnswers = (text: string): readonly Prompt[] =>
  [...text.matchAll(/"\s*=\s*"((?:[^"\\]|\\.){1,400})"/g)].map(([, answer = '']) => ({ text: answer, answersQuestion: true }));
