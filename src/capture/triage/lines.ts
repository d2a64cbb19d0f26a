import type { Message, Role } from '../../core/episode.ts';
import { foreignText } from './own.ts';

/** One line of a session as a drafter reads it. */
export interface TranscriptLine {
  readonly messageId: string;
  /** Number of the line in its message, from 1; 0 for a tool call. */
  readonly line: number;
  readonly text: string;
}

const WHO: Readonly<Record<Role, string>> = { user: 'user', assistant: 'assistant', tool: 'tool' };
const MAX_LINE = 500;
/** Lines kept of what a tool answered: its start and its end say how it went. */
const TOOL_HEAD = 4;
const TOOL_TAIL = 3;

const short = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit - 1)}…`);

function cutAnswer(lines: readonly string[]): readonly string[] {
  if (lines.length <= TOOL_HEAD + TOOL_TAIL + 1) return lines;
  return [...lines.slice(0, TOOL_HEAD), `[… ${lines.length - TOOL_HEAD - TOOL_TAIL} lines …]`, ...lines.slice(-TOOL_TAIL)];
}

/** A message as lines: what was said, and each tool call on a line of its own. Own injected text is left out. */
export function transcriptLines(message: Message): TranscriptLine[] {
  const said = foreignText(message.text).trimEnd();
  const raw = said.trim() === '' ? [] : said.split('\n');
  const kept = message.role === 'tool' ? cutAnswer(raw) : raw;
  const lines = kept.map((text, at) => ({ messageId: message.id, line: at + 1, text: short(at === 0 ? `[${WHO[message.role]}] ${text}` : text, MAX_LINE) }));
  const calls = (message.toolCalls ?? []).map((call) => {
    const what = call.command ?? (call.files.length > 0 ? call.files.join(', ') : (call.input.split('\n')[0] ?? ''));
    return { messageId: message.id, line: 0, text: short(`[tool call] ${call.name} ${what.replace(/\s+/g, ' ').trim()}`.trimEnd(), MAX_LINE) };
  });
  return [...lines, ...calls];
}
