import { answeredIn } from '../../capture/drafts/choices.ts';
import type { Message } from '../../core/episode/episode.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { messagesIn, type Episode } from '../episodes/read.ts';

/** A line of the conversation that a record came from. */
export interface SourceLine {
  readonly message_id: string;
  readonly role: Message['role'];
  readonly timestamp: string | null;
  readonly text: string;
}

const LENGTH = 240;
const LINES_AT_MOST = 6;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The line of a message that shares most words with the record, shortened. */
function tellingLine(text: string, words: ReadonlySet<string>): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  let [best, mostShared] = [lines[0] ?? '', 0];
  for (const line of lines) {
    const shared = [...wordsOf(line)].filter((word) => words.has(word)).length;
    if (shared > mostShared) [best, mostShared] = [line, shared];
  }
  return best.length <= LENGTH ? best : `${best.slice(0, LENGTH - 1)}…`;
}

/** The part of a message that supports a record, with its role. The user's answer to an agent's question arrives as a tool result. */
function supportingPart({ role, text }: Message, words: ReadonlySet<string>): Pick<SourceLine, 'role' | 'text'> {
  const pairs = role === 'tool' ? answeredIn(text).map((pair) => pair.join(' ').replaceAll('\n', ' ')) : [];
  return pairs.length === 0 ? { role, text: tellingLine(text, words) } : { role: 'user', text: tellingLine(pairs.join('\n'), words) };
}

/** The conversation around a record's source. */
function sourceLines(episode: Episode, { origin, title, content }: MemoryRecord): readonly SourceLine[] {
  const ids = new Set(origin?.message_ids ?? []);
  const words = wordsOf(`${title} ${JSON.stringify(content)}`);
  return messagesIn(episode)
    .filter(({ id, text }) => ids.has(id) && text.trim() !== '')
    .slice(0, LINES_AT_MOST)
    .map((message) => ({ message_id: message.id, timestamp: message.at ?? null, ...supportingPart(message, words) }));
}

/** The lines of the conversation that a record came from, if it was imported. */
export async function recordSource(episodes: Pick<Episodes, 'find'>, record: MemoryRecord): Promise<readonly SourceLine[]> {
  const session = record.origin?.session_id;
  if (session === undefined || (record.origin?.message_ids ?? []).length === 0) return [];
  const episode = await episodes.find(session);
  return episode.ok ? sourceLines(episode.value.episode, record) : [];
}
