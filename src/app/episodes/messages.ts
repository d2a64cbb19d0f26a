import type { Message } from '../../core/episode/episode.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { type Episode, messagesIn } from './read.ts';

export interface MessagesRequest {
  /** The message to show with what was said before and after it; all without it. */
  readonly around?: string;
  readonly before: number;
  readonly after: number;
}

export interface SessionMessages {
  readonly messages: readonly Message[];
  /** How many the session has before and after these. */
  readonly earlier: number;
  readonly later: number;
}

/** What was said in a session, or around one of its messages. */
export function messagesOf(episode: Episode, { around, before, after }: MessagesRequest): Result<SessionMessages> {
  const all = messagesIn(episode);
  if (around === undefined) return ok({ messages: all, earlier: 0, later: 0 });
  const at = all.findIndex(({ id }) => id === around);
  if (at < 0)
    return refuse('NOT_FOUND', `session ${episode.facts.sessionId} has no message ${around}`, {
      hint: `holdfast messages --session ${episode.facts.sessionId} lists them`,
    });
  const from = Math.max(0, at - before);
  const to = Math.min(all.length, at + after + 1);
  return ok({ messages: all.slice(from, to), earlier: from, later: all.length - to });
}
