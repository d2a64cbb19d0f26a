import type { Json } from '../../core/value.ts';
import type { ReaderOptions } from './event.ts';
import { type MessagePlace, RowReader } from './row-reader.ts';
import { argumentsOf } from './call.ts';
import { contentText, idOf, instantOf, listOf, objectOf, stringOf } from './value.ts';

/** Reads the `events.jsonl` of GitHub Copilot CLI: `{type, data, id, timestamp}` a line. */
export class CopilotReader extends RowReader {
  #sessionId: string | undefined;

  constructor(options: ReaderOptions = {}) {
    super('copilot', options);
    // The folder has the session's id.
    this.#sessionId = options.path?.split(/[\\/]/).at(-2);
  }

  protected row(record: Json): void {
    const type = stringOf(record['type']) ?? '';
    const data = objectOf(record['data']);
    const at = instantOf(record['timestamp']);
    if (data === undefined) return this.skip('unknown-record');
    if (type === 'session.start' || type === 'session.resume') return this.#session(data, at);
    if (this.#sessionId === undefined) return this.skip('no-session');
    const sessionId = this.#sessionId;
    const agentId = stringOf(record['agentId']) ?? stringOf(data['agentId']) ?? stringOf(data['parentToolCallId']);
    const place: MessagePlace = { id: idOf(record['id']) ?? '', sessionId, ...(at !== undefined && { at }), ...(agentId !== undefined && { agentId }) };
    if (type === 'user.message') this.#prompt(data, place);
    else if (type === 'assistant.message') this.#reply(data, place);
    else if (type === 'tool.execution_complete') this.#answer(data, place);
    else if (type === 'session.compaction_complete') this.summary(sessionId, at, stringOf(data['summaryContent']) ?? '');
    else if (type === 'session.title_changed') this.note(sessionId, { at, title: stringOf(data['title']) });
  }

  #session(data: Json, at: string | undefined): void {
    this.#sessionId = idOf(data['sessionId']) ?? this.#sessionId;
    const context = objectOf(data['context']);
    const facts = { project: stringOf(context?.['cwd']), branch: stringOf(context?.['branch']), clientVersion: stringOf(data['copilotVersion']) };
    if (this.#sessionId !== undefined) this.note(this.#sessionId, { ...facts, at: instantOf(data['startTime']) ?? at });
  }

  /** `content` has the typed text; additions of hooks and the client are in `transformedContent`. A message with another source than the user was not typed. */
  #prompt(data: Json, place: MessagePlace): void {
    this.note(place.sessionId, { at: place.at });
    const source = stringOf(data['source']);
    if (source === undefined || source === 'user') this.prompt(place, contentText(data['content']));
  }

  #reply(data: Json, place: MessagePlace): void {
    this.note(place.sessionId, { at: place.at });
    const calls = listOf(data['toolRequests']).flatMap((request) => {
      const call = objectOf(request);
      const id = idOf(call?.['toolCallId']);
      return call === undefined || id === undefined ? [] : [{ id, name: stringOf(call['name']) ?? 'unknown', input: argumentsOf(call['arguments']) }];
    });
    this.reply(place, contentText(data['content']), stringOf(data['reasoningText']) ?? '', calls);
  }

  #answer(data: Json, place: MessagePlace): void {
    const call = idOf(data['toolCallId']);
    if (call === undefined) return;
    const result = objectOf(data['result']);
    const text = stringOf(result?.['content']) ?? stringOf(objectOf(data['error'])?.['message']) ?? '';
    const exitCode = objectOf(data['shellExecution'])?.['exitCode'];
    this.answer(place, call, text, data['success'] === false || (typeof exitCode === 'number' && exitCode !== 0));
  }
}
