import type { Json } from '../../core/value.ts';
import { transcriptStem, type ReaderOptions } from './event.ts';
import { type MessagePlace, RowReader } from './row-reader.ts';
import { contentText, dropBlocks, idOf, instantOf, listOf, objectOf, objectsOf, openingOf, stringOf } from './value.ts';

/** Opening tags of the text that hooks and the client add to messages. */
const ADDED_OPENING = openingOf('qwen:[\\w-]+|system-reminder|session_context|state_snapshot');

/** Reads Qwen Code's chats, which have Gemini's parts in Claude Code's envelope. */
export class QwenReader extends RowReader {
  readonly #named: string | undefined;

  constructor(options: ReaderOptions = {}) {
    super('qwen', options);
    this.#named = transcriptStem(options.path);
  }

  protected row(record: Json): void {
    const sessionId = idOf(record['sessionId']) ?? this.#named;
    if (sessionId === undefined) return this.skip('no-session');
    const at = instantOf(record['timestamp']);
    this.note(sessionId, {
      at,
      ...{ project: stringOf(record['cwd']), branch: stringOf(record['gitBranch']), clientVersion: stringOf(record['version']) },
    });
    const agentId = stringOf(record['agentId']);
    const place: MessagePlace = { id: idOf(record['uuid']) ?? '', sessionId, ...(at !== undefined && { at }), ...(agentId !== undefined && { agentId }) };
    const parts = objectsOf(objectOf(record['message'])?.['parts']);
    if (record['type'] === 'user') this.#prompt(record, parts, place);
    else if (record['type'] === 'assistant') this.#reply(parts, place);
    else if (record['type'] === 'tool_result') this.#answer(record, parts, place);
    else if (record['subtype'] === 'chat_compression') this.summary(sessionId, at, summaryIn(objectOf(record['systemPayload'])));
  }

  #prompt({ provenance }: Json, parts: readonly Json[], place: MessagePlace): void {
    if (provenance !== undefined && provenance !== 'real_user') return;
    const words = parts.map((part) => dropBlocks(stringOf(part['text']) ?? '', ADDED_OPENING).trim());
    const text = words.filter((word) => word !== '').join('\n');
    if (!/^[/?]/.test(text)) this.prompt(place, text);
  }

  #reply(parts: readonly Json[], place: MessagePlace): void {
    const texts = (isThought: boolean): string =>
      parts
        .filter((part) => (part['thought'] === true) === isThought)
        .map((part) => stringOf(part['text']) ?? '')
        .filter((text) => text !== '')
        .join('\n\n');
    const calls = parts.flatMap((part) => {
      const call = objectOf(part['functionCall']);
      return call === undefined ? [] : [{ id: idOf(call['id']) ?? 'call', name: stringOf(call['name']) ?? 'unknown', input: call['args'] }];
    });
    this.reply(place, texts(false), texts(true), calls);
  }

  #answer(record: Json, parts: readonly Json[], place: MessagePlace): void {
    const outcome = objectOf(record['toolCallResult']);
    const exitCode = objectOf(outcome?.['resultDisplay'])?.['exitCode'];
    const failed = outcome?.['status'] === 'error' || outcome?.['status'] === 'cancelled' || (typeof exitCode === 'number' && exitCode !== 0);
    for (const part of parts) {
      const response = objectOf(part['functionResponse']);
      const fields = objectOf(response?.['response']);
      const call = idOf(response?.['id']);
      if (call !== undefined) this.answer(place, call, contentText(fields?.['output'] ?? fields?.['error'] ?? ''), failed);
    }
  }
}

const summaryIn = (payload: Json | undefined): string =>
  listOf(payload?.['compressedHistory'])
    .map((entry) => contentText(objectOf(entry)?.['parts']))
    .find((text) => text.includes('<state_snapshot>')) ?? '';
