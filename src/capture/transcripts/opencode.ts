import type { TranscriptText } from '../../core/ports/episodes.ts';
import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { isOwnCommand, isOwnTool, stripInjected } from '../../core/episode/injected.ts';
import { describeCall } from './call.ts';
import { cutMiddle, idOf, instantOf, jsonOf, objectOf, objectsOf, stringOf } from './value.ts';
import type { Json } from '../../core/value.ts';
import { DocumentWalker } from './json-tokens.ts';
import { TRANSCRIPT_LIMITS, type Limits, transcriptStem, type ReadEvent, type ReaderOptions, type TranscriptReader } from './event.ts';
import { LruSet } from './lru-set.ts';
import type { MessagePlace } from './row-reader.ts';
import { Sessions } from './sessions.ts';

const REMEMBERED = 16_384;

/** Reads the output of `opencode export`: one document with the session's `info` and its `messages`, each with an `info` and `parts`. */
export class OpencodeReader implements TranscriptReader {
  readonly #limits: Limits;
  readonly #sessions: Sessions;
  readonly #seen = new LruSet(REMEMBERED);
  readonly #document = new DocumentWalker();
  #sessionId: string | undefined;
  #agentId: string | undefined;
  #line = 0;
  #events: ReadEvent[] = [];

  constructor(options: ReaderOptions = {}, client: 'opencode' | 'kilo' = 'opencode') {
    this.#sessions = new Sessions(client);
    this.#limits = { ...TRANSCRIPT_LIMITS, ...options.limits };
    this.#sessionId = transcriptStem(options.path);
  }

  push(text: TranscriptText): readonly ReadEvent[] {
    const line = text.toString();
    this.#line++;
    for (const token of this.#document.push(line)) {
      if (token.kind === 'head') this.#session(objectOf(token.fields['info']));
      else if (token.kind === 'member') this.#message(objectOf(token.value), token.line);
      else this.#events.push({ kind: 'skipped', reason: token.reason, line: token.line });
    }
    return this.#flush();
  }

  end(): readonly ReadEvent[] {
    for (const token of this.#document.end()) if (token.kind === 'problem') this.#events.push({ kind: 'skipped', reason: token.reason, line: token.line });
    this.#events.push(...this.#sessions.all());
    return this.#flush();
  }

  /** A document can only be read again from its start. */
  get backlog(): number {
    return this.#line;
  }

  #flush(): readonly ReadEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #session(info: Json | undefined): void {
    if (info === undefined) return;
    this.#sessionId = idOf(info['id']) ?? this.#sessionId;
    if (stringOf(info['parentID']) !== undefined) this.#agentId = this.#sessionId;
    const time = objectOf(info['time']);
    const facts = { project: stringOf(info['directory']), title: stringOf(info['title']), clientVersion: stringOf(info['version']) };
    this.#note(this.#sessionId, facts, instantOf(time?.['created']));
    this.#note(this.#sessionId, {}, instantOf(time?.['updated']));
  }

  #note(sessionId: string | undefined, facts: { readonly project?: string | undefined }, at: string | undefined): void {
    if (sessionId !== undefined) this.#events.push(...this.#sessions.note(sessionId, { ...facts, at }));
  }

  #message(entry: Json | undefined, line: number): void {
    const info = objectOf(entry?.['info']);
    const sessionId = idOf(info?.['sessionID']) ?? this.#sessionId;
    const id = idOf(info?.['id']);
    if (info === undefined || id === undefined || sessionId === undefined) {
      this.#events.push({ kind: 'skipped', reason: info === undefined ? 'no-message' : 'no-session', line });
      return;
    }
    if (!this.#seen.add(`${sessionId} ${id}`)) return;
    const at = instantOf(objectOf(info['time'])?.['created']);
    const agentId = sessionId === this.#sessionId ? this.#agentId : undefined;
    this.#note(sessionId, { project: stringOf(objectOf(info['path'])?.['cwd']) }, at);
    const place = { id, sessionId, ...(at === undefined ? {} : { at }), ...(agentId === undefined ? {} : { agentId }) };
    const parts = objectsOf(entry?.['parts']);
    if (info['role'] === 'user') this.#prompt(parts, place);
    else if (info['role'] === 'assistant' && info['summary'] === true) this.#summary(parts, place);
    else if (info['role'] === 'assistant') this.#reply(parts, place);
  }

  /** Leaves out text that opencode adds to a prompt, which is marked as synthetic. */
  #prompt(parts: readonly Json[], place: MessagePlace): void {
    const text = unquoted(
      textsOf(
        parts.filter((part) => part['synthetic'] !== true && part['ignored'] !== true),
        'text',
      ),
    );
    if (text === '') return;
    this.#say({ ...place, role: place.agentId === undefined ? 'user' : 'assistant', text: cutMiddle(text, this.#limits.text) });
  }

  #summary(parts: readonly Json[], { sessionId, at }: MessagePlace): void {
    const text = cutMiddle(textsOf(parts, 'text'), this.#limits.text);
    if (text !== '') this.#events.push({ kind: 'summary', sessionId, ...(at === undefined ? {} : { at }), text });
  }

  #reply(parts: readonly Json[], place: MessagePlace): void {
    const text = textsOf(parts, 'text');
    const thinking = textsOf(parts, 'reasoning');
    const tools = parts.filter((part) => part['type'] === 'tool');
    const toolCalls: ToolCall[] = tools.map((part) =>
      describeCall(callId(part), stringOf(part['tool']) ?? 'unknown', objectOf(part['state'])?.['input'], this.#limits.input),
    );
    if (text !== '' || thinking !== '' || toolCalls.length > 0) {
      this.#say({
        ...place,
        ...{ role: 'assistant', text: cutMiddle(text, this.#limits.text) },
        ...(thinking === '' ? {} : { thinking: cutMiddle(thinking, this.#limits.thinking) }),
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      });
    }
    tools.forEach((part, nth) => this.#answer(part, toolCalls[nth], place));
  }

  #answer(part: Json, call: ToolCall | undefined, place: MessagePlace): void {
    const state = objectOf(part['state']);
    const answer = stringOf(state?.['error']) ?? stringOf(state?.['output']);
    if (answer === undefined || call === undefined) return;
    const own = isOwnTool(call.name) || isOwnCommand(call.command ?? '');
    const text = own ? '' : cutMiddle(stripInjected(answer).trim(), this.#limits.answer);
    const failed = state?.['status'] === 'error';
    this.#say({ ...place, id: `${place.id}/${call.id}`, role: 'tool', text, answers: call.id, ...(failed ? { failed } : {}) });
  }

  #say(message: Message): void {
    this.#events.push({ kind: 'message', message });
  }
}

/** Kilo is a fork of opencode. */
export class KiloReader extends OpencodeReader {
  constructor(options: ReaderOptions = {}) {
    super(options, 'kilo');
  }
}

const callId = (part: Json): string => idOf(part['callID']) ?? idOf(part['id']) ?? 'call';

/** `opencode run "a b"` writes its arguments as one quoted text. */
const unquoted = (text: string): string => (/^"[^]*"$/.test(text) ? (stringOf(jsonOf(text)) ?? text) : text);

const textsOf = (parts: readonly Json[], type: 'text' | 'reasoning'): string =>
  parts
    .filter((part) => part['type'] === type)
    .map((part) => stripInjected(stringOf(part['text']) ?? '').trim())
    .filter((text) => text !== '')
    .join('\n\n');
