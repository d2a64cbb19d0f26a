import { cleanMessage, READ_LIMITS } from '../../capture/cleaning/clean.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { readerFor } from '../../capture/transcripts/detect.ts';
import { fingerprint } from '../../capture/transcripts/event.ts';
import { ToolAnswers } from '../../capture/triage/tool-answers.ts';
import type { Client, Message } from '../../core/episode/episode.ts';
import { TOO_LONG, type Transcripts } from '../../core/ports/episodes.ts';
import type { Episode } from '../episodes/read.ts';

export interface NewMessagesRequest {
  readonly session: string;
  readonly path: string;
  readonly client: Client;
  /** Bytes read by earlier calls. */
  readonly from: number;
  /** The reply that ended the turn: the transcript may not hold it yet. */
  readonly lastMessage?: string;
  /** Fingerprint of the reply that ended the previous turn; the transcript holds it by now. */
  readonly lastSeen?: string;
  readonly project: string;
  /** Whether the last call ended inside outside text. */
  readonly afterOutside?: boolean;
}

export interface NewMessages {
  readonly episode: Episode;
  /** Whether they end inside outside text; the next call continues there. */
  readonly endsOutside: boolean;
  /** Bytes of the transcript read so far. */
  readonly to: number;
  readonly lastSeen?: string;
}

/** A transcript that is not written yet. */
export const UNWRITTEN_TRANSCRIPT: Transcripts = {
  open: (_, from) => ({ next: () => undefined, look: () => undefined, start: from, end: from, whole: true, anchor: () => '', close: () => {} }),
};

/** The messages of a session since the last call, without what the settings exclude. */
export function readNewMessages(transcripts: Transcripts, request: NewMessagesRequest, excluded: readonly string[]): NewMessages {
  const { session, path, client, from, lastMessage, lastSeen, project, afterOutside = false } = request;
  const exclusion = new Exclusion(excluded, project);
  const reader = readerFor(client, { path, limits: READ_LIMITS });
  const lines = transcripts.open(path, from);
  const messages: Message[] = [];
  const addMessages = (events: ReturnType<typeof reader.push>): void => {
    for (const event of events) if (event.kind === 'message') messages.push(cleanMessage(event.message, exclusion));
  };
  let to = from;
  for (let line = lines.look(); line !== undefined && lines.whole; line = lines.look()) {
    if (line !== TOO_LONG) addMessages(reader.push(line));
    to = lines.end;
  }
  addMessages(reader.end());
  lines.close();
  const fresh = messages.filter(({ role, text }) => role !== 'assistant' || lastSeen === undefined || replyMark(text) !== lastSeen);
  const lastText = lastMessage?.trim() ?? '';
  const isWritten = lastText === '' || fresh.some(({ role, text }) => role === 'assistant' && text.trim() === lastText);
  const ending: Message[] = isWritten
    ? []
    : [cleanMessage({ id: `reply-${replyMark(lastText)}`, sessionId: session, role: 'assistant', text: lastText }, exclusion)];
  const toolAnswers = new ToolAnswers({ project, afterOutside });
  for (const message of messages) toolAnswers.add(message);
  return {
    episode: { facts: { sessionId: session, client, project }, entries: [...fresh, ...ending], whole: true, afterOutside },
    endsOutside: toolAnswers.afterOutside,
    to,
    ...(lastText !== '' && { lastSeen: replyMark(lastText) }),
  };
}

const replyMark = (text: string): string => fingerprint(text.trim());
