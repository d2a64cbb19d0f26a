import type { Message, Role } from '../../core/episode/episode.ts';
import { foreignText } from './tool-answers.ts';

/** One line of a session in a context file. */
export interface TranscriptLine {
  readonly messageId: string;
  /** Number of the line in its message, from 1; 0 for a tool call. */
  readonly line: number;
  readonly text: string;
}

const WHO: Readonly<Record<Role, string>> = { user: 'user', assistant: 'assistant', tool: 'tool' };
const MAX_LINE = 500;
/** Lines of a tool's answer that stay: its start and end show the result. */
const TOOL_HEAD = 4;
const TOOL_TAIL = 3;

const short = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit - 1)}…`);

function cutAnswer(lines: readonly string[]): readonly string[] {
  if (lines.length <= TOOL_HEAD + TOOL_TAIL + 1) return lines;
  return [...lines.slice(0, TOOL_HEAD), `[… ${lines.length - TOOL_HEAD - TOOL_TAIL} lines …]`, ...lines.slice(-TOOL_TAIL)];
}

/** A message as lines: its text without injected text, and each tool call on its own line. */
function transcriptLines(message: Message): TranscriptLine[] {
  const ownText = foreignText(message.text).trimEnd();
  const raw = ownText.trim() === '' ? [] : ownText.split('\n');
  const excerpt = message.role === 'tool' ? cutAnswer(raw) : raw;
  const lines = excerpt.map((text, at) => ({ messageId: message.id, line: at + 1, text: short(at === 0 ? `[${WHO[message.role]}] ${text}` : text, MAX_LINE) }));
  const calls = (message.toolCalls ?? []).map((call) => {
    const what = call.command ?? (call.files.length > 0 ? call.files.join(', ') : (call.input.split('\n')[0] ?? ''));
    return { messageId: message.id, line: 0, text: short(`[tool call] ${call.name} ${what.replace(/\s+/g, ' ').trim()}`.trimEnd(), MAX_LINE) };
  });
  return [...lines, ...calls];
}

const AROUND = 10;
const FIRST = 80;
const LAST = 200;

export interface Excerpt {
  /** Number of its first line in the session, from 0. */
  readonly start: number;
  readonly lines: readonly string[];
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Collects the lines around matches, and the first and last lines of a session, while it is read. */
export class Excerpts {
  readonly #first: string[] = [];
  #last: string[] = [];
  #recent: NumberedLine[] = [];
  #growing: { readonly until: number; readonly lines: NumberedLine[] }[] = [];
  #count = 0;

  get first(): readonly string[] {
    return this.#first;
  }

  /** The last lines, without those in `first`. */
  get last(): readonly string[] {
    const room = Math.min(LAST, this.#count - this.#first.length);
    return room === 0 ? [] : this.#last.slice(-room);
  }

  /** Adds a message. Returns for each given line a function that gives its excerpt, which grows with the following messages. */
  add(message: Message, lineNumbers: readonly number[]): readonly (() => Excerpt)[] {
    const lines = transcriptLines(message).map((line) => ({ ...line, number: this.#count++ }));
    for (const line of lines) this.#take(line);
    const before = this.#recent;
    this.#recent = [...before, ...lines].slice(-AROUND);
    return lineNumbers.map((nth) => {
      const at = (lines.find((line) => line.line === nth) ?? lines[0])?.number ?? this.#count;
      const around: NumberedLine[] = [...before, ...lines].filter((line) => line.number >= at - AROUND && line.number <= at + AROUND);
      this.#growing.push({ until: at + AROUND, lines: around });
      return () => ({ start: around[0]?.number ?? at, lines: around.map((line) => line.text) });
    });
  }

  #take(line: NumberedLine): void {
    if (this.#first.length < FIRST) this.#first.push(line.text);
    this.#last.push(line.text);
    if (this.#last.length > LAST * 2) this.#last = this.#last.slice(-LAST);
    for (const open of this.#growing) if (line.number <= open.until) open.lines.push(line);
    this.#growing = this.#growing.filter((open) => open.until > line.number);
  }
}

/** Excerpts that touch become one; in the order of the session. */
export function joinExcerpts(excerpts: readonly Excerpt[]): Excerpt[] {
  const joined: { start: number; lines: string[] }[] = [];
  for (const { start, lines } of excerpts.toSorted((a, b) => a.start - b.start)) {
    const open = joined.at(-1);
    const end = open === undefined ? -1 : open.start + open.lines.length;
    if (open === undefined || start > end) joined.push({ start, lines: [...lines] });
    else open.lines.push(...lines.slice(end - start));
  }
  return joined;
}
