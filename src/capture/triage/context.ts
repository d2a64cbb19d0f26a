import type { Activity } from './activity.ts';
import { type Excerpt, joinExcerpts } from './excerpts.ts';
import type { TriageCategory } from './settings.ts';

/** Bytes that a context file may have. */
const CONTEXT_LIMIT = 50 * 1024;

const OPEN = '<transcript_data>';
const CLOSE = '</transcript_data>';

/** What was said cannot end the block it is quoted in, nor begin another. */
export const neutral = (text: string): string => text.replace(/<(\/?)\s*(transcript_data|triage_data)\b/gi, '<$1 $2');

function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return bytes;
}

/** As many of the blocks, in the order given, as fit. */
function fitting(blocks: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const block of blocks) {
    const bytes = bytesOf(block) + 6;
    if (bytes > left) continue;
    kept.push(block);
    left -= bytes;
  }
  return kept;
}

const headOf = (category: TriageCategory, score: number, description: string): string =>
  [`Category: ${category}`, `Score: ${score.toFixed(2)}`, ...(description === '' ? [] : [`Description: ${neutral(description)}`])].join('\n');

const wrapped = (head: string, body: string): string => `${head}\n\n${OPEN}\n${body}\n${CLOSE}\n`;

/** The context file of a text category: the lines around its matches, best matches first where not all fit. */
export function textContext(category: TriageCategory, score: number, description: string, excerpts: readonly Excerpt[]): string {
  const head = headOf(category, score, description);
  const room = CONTEXT_LIMIT - bytesOf(wrapped(head, ''));
  const chosen: Excerpt[] = [];
  let used = 0;
  for (const excerpt of excerpts) {
    const bytes = bytesOf(neutral(excerpt.lines.join('\n'))) + 6;
    if (used + bytes > room) continue;
    chosen.push(excerpt);
    used += bytes;
  }
  return wrapped(
    head,
    joinExcerpts(chosen)
      .map(({ lines }) => neutral(lines.join('\n')))
      .join('\n\n…\n\n'),
  );
}

/** The context file of a session: its numbers, how it began and how it ended. Metrics alone are of no use to a drafter. */
export function sessionContext(score: number, description: string, activity: Activity, first: readonly string[], last: readonly string[]): string {
  const head = [
    headOf('session_summary', score, description),
    `Tool uses: ${activity.toolUses}`,
    `Distinct tools: ${activity.distinctTools}`,
    `Exchanges: ${activity.exchanges}`,
    `File changes: ${activity.changes}`,
    `Commands: ${activity.commands}`,
  ].join('\n');
  const room = CONTEXT_LIMIT - bytesOf(wrapped(head, '\n…\n'));
  // The end of a session says where it stands: it has the first claim on the room.
  const ending = fitting(last.map(neutral).toReversed(), Math.floor(room * 0.7)).toReversed();
  const beginning = fitting(first.map(neutral), room - bytesOf(ending.join('\n')) - ending.length * 6);
  return wrapped(head, [beginning.join('\n'), ...(ending.length > 0 ? ['…', ending.join('\n')] : [])].join('\n'));
}
