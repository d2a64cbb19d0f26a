import type { Client, Message } from '../../core/episode/episode.ts';
import { isOwnCommand, isOwnTool, stripInjected } from '../../core/episode/injected.ts';
import type { TranscriptText } from '../../core/ports/episodes.ts';
import type { Json } from '../../core/value.ts';
import { describeCall } from './call.ts';
import { TRANSCRIPT_LIMITS, type Limits, type ReadEvent, type ReaderOptions, type SkipReason, type TranscriptReader } from './event.ts';
import { parseLine } from './line.ts';
import { LruSet } from './lru-set.ts';
import { type RecordFacts, Sessions } from './sessions.ts';
import { cutMiddle, objectOf } from './value.ts';

const REMEMBERED = 16_384;

/** The ids and time of a message. */
export type MessagePlace = Pick<Message, 'id' | 'sessionId' | 'at' | 'agentId'>;

/** A call of a tool as a transcript writes it. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Reads transcripts with one finished record a line; a subclass for each client interprets the records. */
export abstract class RowReader implements TranscriptReader {
  readonly backlog = 0;
  protected readonly limits: Limits;
  readonly #sessions: Sessions;
  readonly facts = new LruSet(REMEMBERED);
  readonly #ownCalls = new LruSet(1_024);
  #line = 0;
  #events: ReadEvent[] = [];

  constructor(client: Client, options: ReaderOptions = {}) {
    this.limits = { ...TRANSCRIPT_LIMITS, ...options.limits };
    this.#sessions = new Sessions(client);
  }

  protected abstract row(record: Json): void;

  push(text: TranscriptText): readonly ReadEvent[] {
    const line = text.toString();
    this.#line++;
    if (line.trim() === '') return [];
    const parsed = parseLine(line);
    for (const value of parsed.values) {
      const record = objectOf(value);
      if (record === undefined) this.skip('not-an-object');
      else this.row(record);
    }
    if (parsed.repaired) this.#events.push({ kind: 'mended', line: this.#line });
    if (parsed.problem !== undefined) this.skip(parsed.problem);
    return this.#flush();
  }

  end(): readonly ReadEvent[] {
    this.#events.push(...this.#sessions.all());
    return this.#flush();
  }

  protected skip(reason: SkipReason): void {
    this.#events.push({ kind: 'skipped', reason, line: this.#line });
  }

  protected note(sessionId: string, facts: RecordFacts): void {
    this.#events.push(...this.#sessions.note(sessionId, facts));
  }

  /** A typed prompt; in a subagent, a text of the parent agent. */
  protected prompt(place: MessagePlace, words: string): void {
    const text = stripInjected(words).trim();
    if (text !== '') this.#say({ ...place, role: place.agentId === undefined ? 'user' : 'assistant', text: cutMiddle(text, this.limits.text) });
  }

  protected reply(place: MessagePlace, spoken: string, thought: string, calls: readonly RawCall[]): void {
    const [text, thinking] = [stripInjected(spoken).trim(), stripInjected(thought).trim()];
    const toolCalls = calls.map(({ id, name, input }) => describeCall(id, name, input, this.limits.input));
    for (const { id, name, command } of toolCalls) if (isOwnTool(name) || isOwnCommand(command ?? '')) this.#ownCalls.add(id);
    if (text === '' && thinking === '' && toolCalls.length === 0) return;
    this.#say({
      ...place,
      ...{ role: 'assistant', text: cutMiddle(text, this.limits.text) },
      ...(thinking === '' ? {} : { thinking: cutMiddle(thinking, this.limits.thinking) }),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    });
  }

  /** A tool's answer; answers of Holdfast's own tools are left empty, because they come from memory. */
  protected answer(place: MessagePlace, call: string, words: string, failed: boolean): void {
    const text = this.#ownCalls.has(call) ? '' : cutMiddle(stripInjected(words).trim(), this.limits.answer);
    this.#say({ ...place, role: 'tool', text, answers: call, ...(failed ? { failed } : {}) });
  }

  protected summary(sessionId: string, at: string | undefined, words: string): void {
    const text = cutMiddle(stripInjected(words).trim(), this.limits.text);
    if (text !== '') this.#events.push({ kind: 'summary', sessionId, ...(at === undefined ? {} : { at }), text });
  }

  #say(message: Message): void {
    if (this.facts.add(`${message.sessionId} ${message.id}`)) this.#events.push({ kind: 'message', message });
  }

  #flush(): readonly ReadEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
