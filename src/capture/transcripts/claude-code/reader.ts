import type { Message } from '../../../core/episode/episode.ts';
import { isOwnCommand, isOwnTool } from '../../../core/episode/injected.ts';
import type { TranscriptText } from '../../../core/ports/episodes.ts';
import type { Json } from '../../../core/value.ts';
import { TRANSCRIPT_LIMITS, type Limits, type ReadEvent, type ReaderOptions, type SkipReason, type TranscriptReader } from '../event.ts';
import { LruSet, RecentMap } from '../lru-set.ts';
import { type MutableMessage, MessageBuilder } from '../message-builder.ts';
import { Sessions } from '../sessions.ts';
import { cutMiddle, instantOf, jsonOf, listOf, objectOf, stringOf, contentText } from '../value.ts';
import { answerText, assistantContent, resultText, toolRecord, commandWords, isCompactionSummary, userText, refusalWords, withoutAdded } from './content.ts';
import { PromptQueue } from './queue.ts';
import { chainOf, type ChainPosition, ChainPositions, type ClaudeRecord, parseRecord, SILENT_TYPES } from './record.ts';

/** Tools whose errors the client writes itself, so that no program or server can put text there. */
const CLIENT_TOOLS = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS|TodoWrite|ExitPlanMode|EnterPlanMode|AskUserQuestion)$/;
/** Since this version, the output of a failed command follows the client's "Exit code"; before, it is the whole error. */
const EXIT_CODES_SINCE = [2, 0, 30];

function isSince(version: string, since: readonly number[]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const at = parts.findIndex((part, nth) => part !== since[nth]);
  return at < 0 || (parts[at] as number) > (since[at] as number);
}

/**
 * Whether an error that begins like the client's refusal is really the client's. A server can begin its errors with any words, so the tool's name and the
 * client's version decide.
 */
const isClientError = (tool: string | undefined, version: string | undefined): boolean =>
  tool !== undefined && (CLIENT_TOOLS.test(tool) || (tool === 'Bash' && version !== undefined && isSince(version, EXIT_CODES_SINCE)));

const MAX_IDLE_LINES = 50;
const MAX_ANSWERS = 64;
const NOTHING: readonly ReadEvent[] = [];

/** Reads the transcripts of Claude Code, of any version since 1.0.24, main files and subagents' alike. */
export class ClaudeCodeReader implements TranscriptReader {
  readonly #limits: Limits;
  readonly #places: ChainPositions;
  readonly #sessions = new Sessions('claude-code');
  readonly #ownCalls = new LruSet(1_024);
  readonly #callNames = new RecentMap<string>(1_024);
  readonly #queue = new PromptQueue();
  readonly #turns = new Map<string, MessageBuilder>();
  #command: { readonly message: Message; readonly line: number } | undefined;
  #line = 0;
  #events: ReadEvent[] = [];

  constructor(options: ReaderOptions = {}) {
    this.#limits = { ...TRANSCRIPT_LIMITS, ...options.limits };
    this.#places = new ChainPositions(options.path);
  }

  push(line: TranscriptText): readonly ReadEvent[] {
    this.#line++;
    if (line.length < 2 && line.toString().trim() === '') return NOTHING;
    const parsed = parseRecord(line);
    for (const value of parsed.values) this.#record(value, parsed.values.length === 1 ? line : '');
    if (parsed.repaired) this.#events.push({ kind: 'mended', line: this.#line });
    if (parsed.problem !== undefined) this.#skip(parsed.problem);
    for (const [chain, turn] of this.#turns) if (this.#line - turn.lastLine > MAX_IDLE_LINES) this.#close(chain);
    return this.#flush();
  }

  end(): readonly ReadEvent[] {
    this.#sayCommand();
    for (const chain of [...this.#turns.keys()]) this.#close(chain);
    this.#events.push(...this.#sessions.all());
    return this.#flush();
  }

  get backlog(): number {
    const lines = [...this.#turns.values()].map((turn) => turn.line);
    if (this.#command !== undefined) lines.push(this.#command.line);
    const queued = this.#queue.oldest(this.#line);
    if (queued !== undefined) lines.push(queued);
    return lines.length === 0 ? 0 : this.#line - Math.min(...lines) + 1;
  }

  #flush(): readonly ReadEvent[] {
    if (this.#events.length === 0) return NOTHING;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #skip(reason: SkipReason): void {
    this.#events.push({ kind: 'skipped', reason, line: this.#line });
  }

  #record(value: unknown, line: TranscriptText): void {
    const record: ClaudeRecord | undefined = objectOf(value);
    if (record === undefined) return this.#skip('not-an-object');
    const type = stringOf(record.type) ?? stringOf(objectOf(record.message)?.['role']) ?? '';
    if (SILENT_TYPES.has(type)) return;
    if (type === 'summary') return this.#title(this.#places.sessionWith(record.leafUuid), record.summary);
    const sessionId = this.#places.sessionOf(record);
    if (sessionId === undefined) return this.#skip('no-session');
    this.#note(sessionId, record);
    if (type === 'user') this.#user(record, sessionId, line);
    else if (type === 'assistant') this.#assistant(record, sessionId);
    else if (type === 'tool' || type === 'tool_result') this.#tool(record, sessionId);
    else if (type === 'queue-operation') this.#queued(record, sessionId);
    else if (type === 'attachment') this.#attached(record, sessionId);
    else if (type === 'custom-title' || type === 'ai-title') this.#title(sessionId, record.customTitle ?? record.aiTitle);
    else if (type !== 'system') this.#skip('unknown-record');
  }

  #note(sessionId: string, record: ClaudeRecord): void {
    const events = this.#sessions.note(sessionId, {
      at: instantOf(record.timestamp),
      project: stringOf(record.cwd) ?? stringOf(record.workspace),
      branch: stringOf(record.gitBranch),
      clientVersion: stringOf(record.version),
    });
    if (events.length > 0) this.#events.push(...events);
  }

  #title(sessionId: string | undefined, title: unknown): void {
    const words = stringOf(title);
    if (sessionId !== undefined && words !== undefined) this.#events.push(...this.#sessions.note(sessionId, { title: words }));
  }

  #user(record: ClaudeRecord, sessionId: string, line: TranscriptText): void {
    const content = objectOf(record.message)?.['content'];
    if (typeof content !== 'string' && !Array.isArray(content)) return this.#skip('no-message');
    const place = this.#places.of(record, sessionId);
    if (place === undefined) return;
    const blocks = listOf(content).map(objectOf);
    const answers = blocks.filter((block) => block?.['type'] === 'tool_result');
    answers.forEach((block, nth) => this.#answer(block as Json, nth, record, place, line));
    const texts = typeof content === 'string' ? [content] : blocks.filter((block) => block?.['type'] === 'text').map((block) => contentText(block));
    if (texts.length > 0) this.#userTexts(texts, record, answers.length === 0 ? place : { ...place, id: `${place.id}/said` });
  }

  #userTexts(texts: readonly string[], record: ClaudeRecord, place: ChainPosition): void {
    if (record.isCompactSummary === true || isCompactionSummary(texts[0] ?? '')) return this.#summary(texts.join('\n'), place);
    const origin = stringOf(objectOf(record.origin)?.['kind']);
    if (record.isMeta === true || record.isVisibleInTranscriptOnly === true || (origin !== undefined && origin !== 'human')) return;
    if (place.agentId !== undefined) return this.#task(texts, place);
    if (/^\s*<command-(?:name|message)>/.test(texts[0] ?? '')) return this.#slashCommand(texts.join('\n'), place);
    const text = texts
      .map(userText)
      .filter((words) => words !== '')
      .join('\n');
    if (text !== '' && !this.#queue.repeats(text)) this.#prompt(text, place);
  }

  /** The first prompt of a subagent comes from the agent that started it. */
  #task(texts: readonly string[], place: ChainPosition): void {
    const text = texts.map(withoutAdded).join('\n').trim();
    if (text === '' || text === 'Warmup') return;
    this.#close(chainOf(place));
    this.#say({ ...place, role: 'assistant', text: cutMiddle(text, this.#limits.text) });
  }

  #summary(text: string, place: ChainPosition): void {
    const { sessionId, at } = place;
    this.#events.push({ kind: 'summary', sessionId, ...(at === undefined ? {} : { at }), text: cutMiddle(withoutAdded(text).trim(), this.#limits.text) });
  }

  /** Buffers the text after a slash command: some commands repeat it as a prompt, others put it into a template. */
  #slashCommand(text: string, place: ChainPosition): void {
    this.#sayCommand();
    const words = commandWords(text);
    if (words !== '') this.#command = { message: { ...place, role: 'user', text: words }, line: this.#line };
  }

  #sayCommand(): void {
    const command = this.#command;
    this.#command = undefined;
    if (command === undefined) return;
    this.#close(chainOf(command.message));
    this.#say(command.message);
  }

  #prompt(text: string, place: ChainPosition): void {
    const typed = this.#command?.message.text.split('[Pasted text')[0]?.trim();
    if (typed !== undefined && text.startsWith(typed)) this.#command = undefined;
    this.#sayCommand();
    this.#close(chainOf(place));
    this.#say({ ...place, role: 'user', text: cutMiddle(text, this.#limits.text) });
  }

  #answer(block: Json, nth: number, record: ClaudeRecord, place: ChainPosition, line: TranscriptText): void {
    const callId = stringOf(block['tool_use_id']);
    const own = callId !== undefined && this.#ownCalls.has(callId);
    const blockText = answerText(block['content']);
    const text = own ? '' : blockText === '' ? resultText(record.toolUseResult ?? this.#resultIn(line)) : blockText;
    const id = nth === 0 ? place.id : `${place.id}/${nth + 1}`;
    const message: MutableMessage = { ...place, id, role: 'tool', text: cutMiddle(text, this.#limits.answer) };
    if (callId !== undefined) message.answers = callId;
    if (block['is_error'] === true) message.failed = true;
    const chain = chainOf(place);
    const turn = this.#turns.get(chain);
    if (turn === undefined) this.#say(message);
    else turn.answer(message, this.#line);
    if (turn !== undefined && turn.answers >= MAX_ANSWERS) this.#close(chain);
    const tool = this.#callNames.get(callId ?? '');
    const isRefusal = message.failed === true && place.agentId === undefined && isClientError(tool, stringOf(record.version));
    const reason = isRefusal ? refusalWords(blockText) : '';
    if (reason !== '') this.#prompt(reason, { ...place, id: `${message.id}/reason` });
  }

  /** Parses the field that `parseRecord` left out, which is needed only for an empty answer. */
  #resultIn(line: TranscriptText): unknown {
    return objectOf(jsonOf(line.toString()))?.['toolUseResult'];
  }

  #assistant(record: ClaudeRecord, sessionId: string): void {
    const message = objectOf(record.message);
    if (message === undefined) return this.#skip('no-message');
    if (message['model'] === '<synthetic>' || record.isApiErrorMessage === true || record.isMeta === true) return;
    const place = this.#places.of(record, sessionId);
    if (place === undefined) return;
    const { text, thinking, calls } = assistantContent(message['content'], this.#limits.input);
    for (const call of calls) this.#callNames.set(call.id, call.name);
    for (const call of calls) if (isOwnTool(call.name) || isOwnCommand(call.command ?? '')) this.#ownCalls.add(call.id);
    this.#sayCommand();
    const chain = chainOf(place);
    const apiId = stringOf(message['id']);
    const open = this.#turns.get(chain);
    if (open?.continues(sessionId, apiId)) return open.add(text, thinking, calls, this.#line);
    this.#close(chain);
    const turn = new MessageBuilder(place, apiId, this.#line);
    turn.add(text, thinking, calls, this.#line);
    this.#turns.set(chain, turn);
  }

  #tool(record: ClaudeRecord, sessionId: string): void {
    const message = objectOf(record.message);
    if (message === undefined) return this.#skip('no-message');
    const place = this.#places.of(record, sessionId);
    if (place === undefined) return;
    const { text, call, failed } = toolRecord(message, place.id, this.#limits.input);
    this.#close(chainOf(place));
    const cut = cutMiddle(call !== undefined && isOwnTool(call.name) ? '' : text, this.#limits.answer);
    this.#say({ ...place, role: 'tool', text: cut, ...(call === undefined ? {} : { toolCalls: [call] }), ...(failed ? { failed } : {}) });
  }

  #queued(record: ClaudeRecord, sessionId: string): void {
    const prompt = this.#queue.apply(record.operation, record.content, instantOf(record.timestamp), this.#line);
    if (prompt === undefined || this.#queue.wasHandedOver(prompt.text, 'queue', this.#line)) return;
    const { id, text, at } = prompt;
    this.#prompt(text, { sessionId, id, ...(at === undefined ? {} : { at }) });
  }

  #attached(record: ClaudeRecord, sessionId: string): void {
    const attachment = objectOf(record.attachment);
    if (attachment?.['type'] !== 'queued_command' || attachment['commandMode'] === 'task-notification' || attachment['isMeta'] === true) return;
    const origin = stringOf(objectOf(attachment['origin'])?.['kind']);
    const place = this.#places.of(record, sessionId);
    if (place === undefined || place.agentId !== undefined || (origin !== undefined && origin !== 'human')) return;
    const text = userText(contentText(attachment['prompt']));
    if (text !== '' && !text.startsWith('/') && !this.#queue.wasHandedOver(text, 'attachment', this.#line)) this.#prompt(text, place);
  }

  #close(chain: string): void {
    const turn = this.#turns.get(chain);
    this.#turns.delete(chain);
    for (const message of turn?.messages(this.#limits) ?? []) this.#say(message);
  }

  #say(message: Message): void {
    this.#events.push({ kind: 'message', message });
  }
}
