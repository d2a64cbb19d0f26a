import type { TranscriptText } from '../../core/ports/episodes.ts';
import type { Message, Role } from '../../core/episode/episode.ts';
import { stripInjected } from '../../core/episode/injected.ts';
import { cutMiddle, idOf, instantOf, objectOf, stringOf, contentText } from './value.ts';
import type { Json } from '../../core/value.ts';
import { TRANSCRIPT_LIMITS, transcriptStem, type ReadEvent, type ReaderOptions, type TranscriptReader, fingerprint } from './event.ts';
import { parseLine } from './line.ts';
import { LruSet } from './lru-set.ts';
import { Sessions } from './sessions.ts';

const REMEMBERED = 16_384;

/** Reads the plain format: one message a line, with project, session, message id, role, speaker, time and text. */
export class ChatReader implements TranscriptReader {
  readonly backlog = 0;
  readonly #sessions = new Sessions('chat');
  readonly #seen = new LruSet(REMEMBERED);
  readonly #fallback: string | undefined;
  readonly #limit: number;
  #line = 0;

  constructor(options: ReaderOptions = {}) {
    this.#fallback = transcriptStem(options.path);
    this.#limit = options.limits?.text ?? TRANSCRIPT_LIMITS.text;
  }

  push(text: TranscriptText): readonly ReadEvent[] {
    const line = text.toString();
    this.#line++;
    if (line.trim() === '') return [];
    const parsed = parseLine(line);
    const events = parsed.values.flatMap((value) => this.#row(objectOf(value)));
    if (parsed.repaired) events.push({ kind: 'mended', line: this.#line });
    if (parsed.problem !== undefined) events.push({ kind: 'skipped', reason: parsed.problem, line: this.#line });
    return events;
  }

  end(): readonly ReadEvent[] {
    return this.#sessions.all();
  }

  #row(row: Json | undefined): ReadEvent[] {
    const skipped = (reason: 'not-an-object' | 'no-session' | 'no-message'): ReadEvent[] => [{ kind: 'skipped', reason, line: this.#line }];
    if (row === undefined) return skipped('not-an-object');
    const sessionId = idOf(row['session_id']) ?? this.#fallback;
    if (sessionId === undefined) return skipped('no-session');
    const text = stripInjected(contentText(row['text'])).trim();
    const role = roleOf(row['role']);
    if (text === '' || role === undefined) return skipped('no-message');
    const at = instantOf(row['timestamp']);
    const speaker = stringOf(row['speaker']);
    const id = idOf(row['message_id']) ?? fingerprint(at, speaker, text);
    if (!this.#seen.add(`${sessionId} ${id}`)) return [];
    const facts = this.#sessions.note(sessionId, { at, project: stringOf(row['project']), title: stringOf(row['title']) });
    const message: Message = {
      ...{ id, sessionId, role, text: cutMiddle(text, this.#limit) },
      ...(at === undefined ? {} : { at }),
      ...(speaker === undefined ? {} : { speaker }),
    };
    return [...facts, { kind: 'message', message }];
  }
}

/** The role of a message: speakers of a chat between people are users; texts of a system or developer are no messages. */
function roleOf(role: unknown): Role | undefined {
  if (role === 'assistant' || role === 'tool') return role;
  if (typeof role === 'string' && /tool|function|observation|result/i.test(role)) return 'tool';
  return role === 'system' || role === 'developer' ? undefined : 'user';
}
