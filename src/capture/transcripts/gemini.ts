import type { TranscriptText } from '../../core/ports/episodes.ts';
import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { isOwnCommand, isOwnTool, stripInjected } from '../../core/episode/injected.ts';
import {
  textAfter,
  textBefore,
  dropBlocks,
  openingOf,
  cutMiddle,
  idOf,
  instantOf,
  jsonOf,
  listOf,
  objectOf,
  objectsOf,
  stringOf,
  contentText,
} from './value.ts';
import type { Json } from '../../core/value.ts';
import { describeCall } from './call.ts';
import { DocumentWalker } from './json-tokens.ts';
import { TRANSCRIPT_LIMITS, type Limits, transcriptStem, type ReadEvent, type ReaderOptions, type SkipReason, type TranscriptReader } from './event.ts';
import { parseLine } from './line.ts';
import { LruSet } from './lru-set.ts';
import { Sessions } from './sessions.ts';

const REMEMBERED = 16_384;
const ADDED = 'hook_context|session_context|state_snapshot';
const ADDED_OPENING = openingOf(ADDED);
const STARTS_ADDED = new RegExp(`^<(?:${ADDED})\\b`);
const REFERENCED_FILES = '--- Content from referenced files ---';
const REFERENCE_END = '--- End of content ---';

/**
 * Reads Gemini CLI's session files: the line format (a header, messages that are written again as they grow, `$set` and `$rewindTo` records) and the
 * older single document. Rewound messages stay.
 */
export class GeminiReader implements TranscriptReader {
  readonly #limits: Limits;
  readonly #sessions = new Sessions('gemini');
  readonly facts = new LruSet(REMEMBERED);
  #sessionId: string | undefined;
  #agentId: string | undefined;
  #document: DocumentWalker | undefined;
  #open: { readonly record: Json; readonly line: number } | undefined;
  #line = 0;
  #events: ReadEvent[] = [];

  constructor(options: ReaderOptions = {}) {
    this.#limits = { ...TRANSCRIPT_LIMITS, ...options.limits };
    this.#sessionId = transcriptStem(options.path);
  }

  push(text: TranscriptText): readonly ReadEvent[] {
    const line = text.toString();
    this.#line++;
    if (line.trim() === '') return [];
    if (this.#document !== undefined || (this.#line === 1 && isDocumentStart(line))) this.#walk(line);
    else this.#parsed(line);
    return this.#flush();
  }

  end(): readonly ReadEvent[] {
    for (const token of this.#document?.end() ?? []) if (token.kind === 'problem') this.#skip(token.reason, token.line);
    this.#close();
    this.#events.push(...this.#sessions.all());
    return this.#flush();
  }

  /** A document can only be read again from its start. */
  get backlog(): number {
    if (this.#document !== undefined) return this.#line;
    return this.#open === undefined ? 0 : this.#line - this.#open.line + 1;
  }

  #flush(): readonly ReadEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #skip(reason: SkipReason, line = this.#line): void {
    this.#events.push({ kind: 'skipped', reason, line });
  }

  #walk(line: string): void {
    this.#document ??= new DocumentWalker();
    for (const token of this.#document.push(line)) {
      if (token.kind === 'head') this.#header(token.fields);
      else if (token.kind === 'member') this.#record(token.value);
      else this.#skip(token.reason, token.line);
    }
  }

  #parsed(line: string): void {
    const parsed = parseLine(line);
    for (const value of parsed.values) this.#record(value);
    if (parsed.repaired) this.#events.push({ kind: 'mended', line: this.#line });
    if (parsed.problem !== undefined) this.#skip(parsed.problem);
  }

  #record(value: unknown): void {
    const record = objectOf(value);
    if (record === undefined) return this.#skip('not-an-object');
    if (idOf(record['id']) !== undefined && typeof record['type'] === 'string') return this.#message(record);
    const set = objectOf(record['$set']);
    if (set !== undefined || record['$rewindTo'] !== undefined) return this.#header(set ?? {});
    if (record['sessionId'] === undefined) return this.#skip('unknown-record');
    this.#header(record);
    for (const message of listOf(record['messages'])) this.#record(message);
  }

  #header(fields: Json): void {
    this.#sessionId = idOf(fields['sessionId']) ?? this.#sessionId;
    if (fields['kind'] === 'subagent') this.#agentId = this.#sessionId;
    if (this.#sessionId === undefined) return;
    const project = stringOf(listOf(fields['directories'])[0]) ?? stringOf(fields['projectHash']);
    this.#note({ project, title: stringOf(fields['summary']) }, instantOf(fields['startTime']));
    this.#note({}, instantOf(fields['lastUpdated']));
  }

  #note(facts: { readonly project?: string | undefined; readonly title?: string | undefined }, at: string | undefined): void {
    this.#events.push(...this.#sessions.note(this.#sessionId ?? '', { ...facts, at }));
  }

  #message(record: Json): void {
    if (this.#sessionId === undefined) return this.#skip('no-session');
    if (this.#open !== undefined && this.#open.record['id'] === record['id']) {
      this.#open = { record, line: this.#open.line };
      return;
    }
    this.#close();
    this.#open = { record, line: this.#line };
  }

  /** A message is written again after every tool call; the last version counts. A message with a known id only adds new answers. */
  #close(): void {
    const record = this.#open?.record;
    this.#open = undefined;
    if (record === undefined) return;
    const at = instantOf(record['timestamp']);
    const head = { id: idOf(record['id']) ?? '', sessionId: this.#sessionId ?? '', ...(at === undefined ? {} : { at }) };
    const place = { ...head, ...(this.#agentId === undefined ? {} : { agentId: this.#agentId }) };
    this.#note({}, at);
    const isNew = this.facts.add(place.id);
    if (record['type'] === 'user' && isNew) this.#say(this.#prompt(record, place));
    if (record['type'] !== 'gemini') return;
    const calls = objectsOf(record['toolCalls']);
    if (isNew) this.#say(this.#reply(record, place, calls));
    for (const call of calls) this.#answer(call, place);
  }

  #prompt(record: Json, place: Omit<Message, 'role' | 'text'>): Message | undefined {
    const displayText = contentText(record['displayContent']);
    const text = userText(displayText === '' ? contentText(record['content']) : displayText);
    if (text === '' || /^[/?]/.test(text)) return undefined;
    return { ...place, role: place.agentId === undefined ? 'user' : 'assistant', text: cutMiddle(text, this.#limits.text) };
  }

  #reply(record: Json, place: Omit<Message, 'role' | 'text'>, calls: readonly Json[]): Message | undefined {
    const parts = listOf(record['content']).map(objectOf);
    const spoken = parts.length === 0 ? record['content'] : parts.filter((part) => part?.['thought'] !== true);
    const text = stripInjected(contentText(spoken)).trim();
    const thoughts = listOf(record['thoughts']).map(objectOf);
    const thinking = thoughts.map((thought) => [thought?.['subject'], thought?.['description']].filter((word) => stringOf(word)).join(': ')).join('\n');
    const toolCalls: ToolCall[] = calls.map((call) => describeCall(callId(call), stringOf(call['name']) ?? 'unknown', call['args'], this.#limits.input));
    if (text === '' && thinking === '' && toolCalls.length === 0) return undefined;
    return {
      ...place,
      ...{ role: 'assistant', text: cutMiddle(text, this.#limits.text) },
      ...(thinking === '' ? {} : { thinking: cutMiddle(thinking, this.#limits.thinking) }),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    };
  }

  #answer(call: Json, place: Omit<Message, 'role' | 'text'>): void {
    const id = `${place.id}/${callId(call)}`;
    if (call['result'] === undefined || call['result'] === null || !this.facts.add(id)) return;
    const own = isOwnTool(stringOf(call['name']) ?? '') || isOwnCommand(stringOf(objectOf(call['args'])?.['command']) ?? '');
    const text = own ? '' : cutMiddle(stripInjected(resultText(call['result'])).trim(), this.#limits.answer);
    const failed = call['status'] === 'error' || call['status'] === 'cancelled';
    this.#say({ ...place, id, role: 'tool', text, answers: callId(call), ...(failed ? { failed } : {}) });
  }

  #say(message: Message | undefined): void {
    if (message !== undefined) this.#events.push({ kind: 'message', message });
  }
}

/** Whether a line opens a document over many lines. A whole value on one line is read as one record. */
function isDocumentStart(line: string): boolean {
  return /^\s*\{\s*$/.test(line) || (/^\s*\{/.test(line) && !line.trimEnd().endsWith('}'));
}

const callId = (call: Json): string => idOf(call['id']) ?? 'call';

/** The typed text of a prompt, without blocks and file contents that the client adds. */
function userText(text: string): string {
  const words = dropBlocks(stripInjected(text), ADDED_OPENING).trim();
  if (STARTS_ADDED.test(words)) return '';
  return words.includes(REFERENCED_FILES)
    ? `${textBefore(words, REFERENCED_FILES)}${words.includes(REFERENCE_END) ? textAfter(words, REFERENCE_END) : ''}`.trim()
    : words;
}

/** A tool's answer: plain text, or parts with a function response in them. */
function resultText(result: unknown): string {
  if (!Array.isArray(result)) return responseText(result);
  return result
    .map(responseText)
    .filter((text) => text !== '')
    .join('\n');
}

function responseText(part: unknown): string {
  if (typeof part === 'string') return part;
  const response = objectOf(objectOf(part)?.['functionResponse'])?.['response'] ?? objectOf(part)?.['response'];
  const fields = objectOf(response);
  const inner = fields?.['output'] ?? fields?.['error'] ?? fields?.['content'];
  return inner === undefined ? contentText(part) : contentText(inner);
}

/** A request with less than this share of the previous request's tokens follows a compression. */
const DROP = 0.6;

/** Whether the tokens sent in the last turn of a Gemini chat fell, which shows a compression. Gemini CLI sends no event for it. */
export function isCompressedInLastTurn(lines: readonly string[]): boolean {
  const rows = lines.flatMap((line) => (/"type":\s*"(?:user|gemini)"/.test(line) ? [objectOf(jsonOf(line))] : []));
  const turn = rows.findLastIndex((row) => row?.['type'] === 'user');
  const requests = rows.flatMap((row, at) => {
    const input = row?.['type'] === 'gemini' ? objectOf(row['tokens'])?.['input'] : undefined;
    return typeof input === 'number' && input > 0 ? [{ at, input }] : [];
  });
  return requests.some(({ at, input }, nth) => at > turn && input < (requests[nth - 1]?.input ?? 0) * DROP);
}
