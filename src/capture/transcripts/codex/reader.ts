import type { TranscriptText } from '../../../core/ports/episodes.ts';
import type { Message } from '../../../core/episode/episode.ts';
import { isOwnCommand, isOwnTool, stripInjected } from '../../../core/episode/injected.ts';
import { cutMiddle, idOf, instantOf, listOf, objectOf, stringOf, contentText } from '../value.ts';
import type { Json } from '../../../core/value.ts';
import {
  TRANSCRIPT_LIMITS,
  type Limits,
  transcriptStem,
  type ReadEvent,
  type ReaderOptions,
  type SkipReason,
  type TranscriptReader,
  fingerprint,
} from '../event.ts';
import { parseLine } from '../line.ts';
import { LruSet, RecentMap } from '../lru-set.ts';
import { Sessions } from '../sessions.ts';
import { MessageBuilder } from '../message-builder.ts';
import { callOf, isCall, isOutput, outputOf, historyWords, promptWords } from './call.ts';

const REMEMBERED = 16_384;
/** Lines of these kinds carry no message. */
const SILENT_TYPES = new Set([
  'world_state',
  'token_usage_record',
  'security_risk_score',
  'realtime_item',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
]);

/**
 * Reads Codex's rollouts: `{timestamp, type, payload}` a line, and the older format without the envelope. The model's history (`response_item`) is the
 * main source; events add prompts and replies that it lacks.
 */
export class CodexReader implements TranscriptReader {
  readonly #limits: Limits;
  readonly #sessions = new Sessions('codex');
  readonly facts = new LruSet(REMEMBERED);
  readonly #ownCalls = new LruSet(1_024);
  readonly #textCounts = new RecentMap<{ item: number; event: number }>(64);
  #turn: MessageBuilder | undefined;
  #promptLine: number | undefined;
  #sessionId: string | undefined;
  #hasMeta = false;
  #agentId: string | undefined;
  #line = 0;
  #events: ReadEvent[] = [];

  constructor(options: ReaderOptions = {}) {
    this.#limits = { ...TRANSCRIPT_LIMITS, ...options.limits };
    const name = transcriptStem(options.path);
    this.#sessionId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(name ?? '')?.[0] ?? name;
  }

  push(text: TranscriptText): readonly ReadEvent[] {
    const line = text.toString();
    this.#line++;
    if (line.trim() === '') return [];
    const parsed = parseLine(line);
    for (const value of parsed.values) this.#row(objectOf(value));
    if (parsed.repaired) this.#events.push({ kind: 'mended', line: this.#line });
    if (parsed.problem !== undefined) this.#skip(parsed.problem);
    return this.#flush();
  }

  end(): readonly ReadEvent[] {
    this.#close();
    this.#events.push(...this.#sessions.all());
    return this.#flush();
  }

  get backlog(): number {
    const from = this.#turn?.line ?? this.#promptLine;
    return from === undefined ? 0 : this.#line - from + 1;
  }

  #flush(): readonly ReadEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #skip(reason: SkipReason): void {
    this.#events.push({ kind: 'skipped', reason, line: this.#line });
  }

  #row(row: Json | undefined): void {
    if (row === undefined) return this.#skip('not-an-object');
    const payload = objectOf(row['payload']);
    const at = instantOf(row['timestamp']);
    const type = stringOf(row['type']) ?? '';
    if (type === 'session_meta' && payload !== undefined) return this.#meta(payload, at);
    if (type === '' && idOf(row['id']) !== undefined && at !== undefined) return this.#meta(row, at);
    if (SILENT_TYPES.has(type) || row['record_type'] !== undefined) return;
    if (this.#sessionId === undefined) return this.#skip('no-session');
    this.#note({ at, project: type === 'turn_context' ? stringOf(payload?.['cwd']) : undefined });
    if (type === 'event_msg') this.#event(payload ?? {}, at);
    else if (type === 'compacted') this.#summary(payload, at);
    else if (type === 'response_item') this.#item(payload ?? {}, at);
    else if (payload === undefined && isItem(type)) this.#item(row, at);
    else if (type !== 'turn_context') this.#skip('unknown-record');
  }

  /** Reads the first header only: a forked rollout repeats the original's header after its own. */
  #meta(meta: Json, at: string | undefined): void {
    if (this.#hasMeta) return;
    this.#hasMeta = true;
    this.#sessionId = idOf(meta['id']) ?? this.#sessionId;
    if (objectOf(meta['source'])?.['subagent'] !== undefined) this.#agentId = stringOf(meta['agent_nickname']) ?? this.#sessionId;
    const git = objectOf(meta['git']);
    const repository = { branch: stringOf(git?.['branch']), remote: stringOf(git?.['repository_url']) };
    const facts = { project: stringOf(meta['cwd']), ...repository, clientVersion: stringOf(meta['cli_version']) };
    this.#note({ ...facts, at: instantOf(meta['timestamp']) ?? at });
  }

  #note(facts: Parameters<Sessions['note']>[1]): void {
    this.#events.push(...this.#sessions.note(this.#sessionId ?? '', facts));
  }

  #event(event: Json, at: string | undefined): void {
    const text = stringOf(event['message']) ?? '';
    if (event['type'] === 'user_message') this.#prompt('event', promptWords(text), at, undefined);
    else if (event['type'] === 'agent_message') this.#reply('event', text, at, undefined);
    else if (event['type'] === 'thread_name_updated') this.#note({ title: stringOf(event['thread_name']) });
  }

  #summary(payload: Json | undefined, at: string | undefined): void {
    const text = stripInjected(stringOf(payload?.['message']) ?? '').trim();
    const sessionId = this.#sessionId ?? '';
    if (text !== '') this.#events.push({ kind: 'summary', sessionId, ...(at === undefined ? {} : { at }), text: cutMiddle(text, this.#limits.text) });
  }

  #item(item: Json, at: string | undefined): void {
    const type = stringOf(item['type']) ?? '';
    const id = idOf(item['id']);
    if (type === 'message' && item['role'] === 'user') {
      const words = listOf(item['content']).map((part) => historyWords(contentText([part])));
      this.#prompt('item', words.filter((text) => text !== '').join('\n'), at, id);
    } else if (type === 'message' && item['role'] === 'assistant') this.#reply('item', contentText(item['content']), at, id);
    else if (type === 'reasoning') this.#reasoning(item, at, id);
    else if (isCall(type)) this.#call(item, at);
    else if (isOutput(type)) this.#output(item, at);
  }

  /** Whether the other source already reported this text: history and events repeat each other, in either order. */
  #isRepeated(source: 'item' | 'event', role: string, text: string): boolean {
    const key = `${role} ${text}`;
    const counts = this.#textCounts.get(key) ?? { item: 0, event: 0 };
    counts[source]++;
    this.#textCounts.set(key, counts);
    return counts[source] <= counts[source === 'item' ? 'event' : 'item'];
  }

  #prompt(source: 'item' | 'event', text: string, at: string | undefined, id: string | undefined): void {
    if (text === '' || this.#isRepeated(source, 'user', text)) return;
    this.#close();
    this.#promptLine = this.#line;
    const role = this.#agentId === undefined ? 'user' : 'assistant';
    this.#say({ ...this.#place(id ?? fingerprint(at, role, text), at), role, text: cutMiddle(text, this.#limits.text) });
  }

  #reply(source: 'item' | 'event', spoken: string, at: string | undefined, id: string | undefined): void {
    const text = stripInjected(spoken).trim();
    if (text === '' || this.#isRepeated(source, 'assistant', text)) return;
    this.#open(id ?? fingerprint(at, 'assistant', text), at).add(text, '', [], this.#line);
  }

  #reasoning(item: Json, at: string | undefined, id: string | undefined): void {
    const thinking = stripInjected([contentText(item['summary']), contentText(item['content'])].filter((text) => text !== '').join('\n')).trim();
    if (thinking !== '') this.#open(id ?? fingerprint(at, 'reasoning', thinking), at).add('', thinking, [], this.#line);
  }

  #call(item: Json, at: string | undefined): void {
    const call = callOf(item, fingerprint(at, JSON.stringify(item)), this.#limits.input);
    if (isOwnTool(call.name) || isOwnTool(stringOf(item['namespace']) ?? '') || isOwnCommand(call.command ?? '')) this.#ownCalls.add(call.id);
    this.#open(call.id, at).add('', '', [call], this.#line);
  }

  #output(item: Json, at: string | undefined): void {
    const callId = idOf(item['call_id']) ?? '';
    const { text, failed } = outputOf(item);
    const message: Message = {
      ...this.#place(`${callId === '' ? fingerprint(at, text) : callId}/output`, at),
      ...{ role: 'tool', text: this.#ownCalls.has(callId) ? '' : cutMiddle(stripInjected(text), this.#limits.answer) },
      ...(callId === '' ? {} : { answers: callId }),
      ...(failed ? { failed } : {}),
    };
    if (this.#turn === undefined) this.#say(message);
    else this.#turn.answer(message, this.#line);
  }

  /** The message under construction: the agent's text and calls up to a tool's answer are one message. */
  #open(id: string, at: string | undefined): MessageBuilder {
    if (this.#turn !== undefined && this.#turn.answers === 0) return this.#turn;
    this.#close();
    this.#promptLine = undefined;
    this.#turn = new MessageBuilder(this.#place(id, at), undefined, this.#line);
    return this.#turn;
  }

  #close(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    for (const message of turn?.messages(this.#limits) ?? []) this.#say(message);
  }

  #place(id: string, at: string | undefined): Pick<Message, 'id' | 'sessionId' | 'at' | 'agentId'> {
    const agentId = this.#agentId;
    return { id, sessionId: this.#sessionId ?? '', ...(at === undefined ? {} : { at }), ...(agentId === undefined ? {} : { agentId }) };
  }

  #say(message: Message): void {
    if (this.facts.add(message.id)) this.#events.push({ kind: 'message', message });
  }
}

const isItem = (type: string): boolean => type === 'message' || type === 'reasoning' || isCall(type) || isOutput(type);
