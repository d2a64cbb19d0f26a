import type { Json } from '../../core/value.ts';
import { transcriptStem, type ReaderOptions } from './event.ts';
import { type MessagePlace, RowReader } from './row-reader.ts';
import { contentText, dropBlocks, idOf, instantOf, jsonOf, objectOf, objectsOf, openingOf, stringOf } from './value.ts';

/** Blocks that the client adds to the user's messages. */
const ADDED_OPENING = openingOf('system-reminder|system-notification');

/** The last compaction in a transcript, by its id: `droid exec` runs no hook at one. */
export function lastCompaction(lines: readonly string[]): string | undefined {
  const line = lines.findLast((one) => /"type":\s*"compaction_state"/.test(one));
  const row = line === undefined ? undefined : objectOf(jsonOf(line));
  return row?.['type'] === 'compaction_state' ? idOf(row['id']) : undefined;
}

/** Reads the sessions of Factory's Droid: a first line on the session, then a message a line with blocks like Claude Code's. */
export class DroidReader extends RowReader {
  #sessionId: string | undefined;

  constructor(options: ReaderOptions = {}) {
    super('droid', options);
    this.#sessionId = transcriptStem(options.path);
  }

  protected row(record: Json): void {
    const type = stringOf(record['type']);
    const at = instantOf(record['timestamp']);
    if (type === 'session_start') {
      this.#sessionId = idOf(record['id']) ?? this.#sessionId;
      if (this.#sessionId !== undefined) this.note(this.#sessionId, { at, project: stringOf(record['cwd']) });
      return;
    }
    if (this.#sessionId === undefined) return this.skip('no-session');
    if (type === 'compaction_state') return this.summary(this.#sessionId, at, stringOf(record['summaryText']) ?? '');
    const message = objectOf(record['message']);
    // Messages shown only to the user or only to the model are hook results and reminders.
    if (type !== 'message' || message === undefined || message['visibility'] !== undefined) return;
    this.note(this.#sessionId, { at });
    this.#message(message, { id: idOf(record['id']) ?? '', sessionId: this.#sessionId, ...(at !== undefined && { at }) });
  }

  #message(message: Json, place: MessagePlace): void {
    const blocks = objectsOf(message['content']);
    const texts = (type: string, field: string): string =>
      blocks
        .filter((block) => block['type'] === type)
        .map((block) => dropBlocks(stringOf(block[field]) ?? '', ADDED_OPENING).trim())
        .filter((text) => text !== '')
        .join('\n\n');
    if (message['role'] === 'assistant') {
      const calls = blocks
        .filter((block) => block['type'] === 'tool_use')
        .map((block) => ({ id: idOf(block['id']) ?? 'call', name: stringOf(block['name']) ?? 'unknown', input: block['input'] }));
      return this.reply(place, texts('text', 'text'), texts('thinking', 'thinking'), calls);
    }
    const results = blocks.filter((block) => block['type'] === 'tool_result');
    for (const [at, block] of results.entries()) {
      const call = idOf(block['tool_use_id']);
      // One message may have several answers, and a message with a known id is dropped.
      if (call !== undefined)
        this.answer({ ...place, id: at === 0 ? place.id : `${place.id}-${at}` }, call, contentText(block['content']), block['is_error'] === true);
    }
    if (results.length === 0) this.prompt(place, texts('text', 'text'));
  }
}
