import { cleanMessage, READ_LIMITS } from '../../capture/cleaning/clean.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { readerFor } from '../../capture/transcripts/detect.ts';
import { type ReaderOptions, type TranscriptReader, fingerprint } from '../../capture/transcripts/event.ts';
import { ToolAnswers } from '../../capture/triage/tool-answers.ts';
import type { Client, Message } from '../../core/episode/episode.ts';
import { TOO_LONG, type Transcripts } from '../../core/ports/episodes.ts';
import type { Episode } from '../episodes/read.ts';

export interface MaterialOptions {
  readonly session: string;
  readonly path: string;
  readonly client: Client;
  /** Reader of this client's transcripts. */
  readonly reader: (options: ReaderOptions) => TranscriptReader;
  /** Bytes read by earlier calls. */
  readonly from: number;
  /** The reply that ended the turn: the transcript may not hold it yet. */
  readonly lastMessage?: string;
  /** Fingerprint of the reply that ended the previous turn; the transcript holds it by now. */
  readonly lastSeen?: string;
  readonly exclusion: Exclusion;
  readonly project?: string;
  /** The last call ended inside outside text. */
  readonly afterOutside?: boolean;
}

export interface Material {
  readonly episode: Episode;
  /** It ends inside outside text; the next call continues there. */
  readonly endsOutside: boolean;
  /** Bytes of the transcript read so far. */
  readonly to: number;
  readonly lastSeen?: string;
}

/** Where a transcript is not written yet. */
export const NOTHING_YET: Transcripts = {
  open: (_, from) => ({ next: () => undefined, look: () => undefined, start: from, end: from, whole: true, anchor: () => '', close: () => {} }),
};

type Asked = Omit<MaterialOptions, 'reader' | 'exclusion' | 'project'> & { readonly project: string };

/** The same by the client's own reader, without what the settings exclude. */
export const materialOf = (transcripts: Transcripts, asked: Asked, excluded: readonly string[]): Material =>
  newMaterial(transcripts, { ...asked, reader: (options) => readerFor(asked.client, options), exclusion: new Exclusion(excluded, asked.project) });

/** The new messages of a session since the last call. */
function newMaterial(transcripts: Transcripts, asked: MaterialOptions): Material {
  const { session, path, client, lastMessage, lastSeen, exclusion, project, afterOutside = false } = asked;
  const reader = asked.reader({ path, limits: READ_LIMITS });
  const lines = transcripts.open(path, asked.from);
  const found: Message[] = [];
  const take = (events: ReturnType<typeof reader.push>): void => {
    for (const event of events) if (event.kind === 'message') found.push(cleanMessage(event.message, exclusion));
  };
  let to = asked.from;
  for (let line = lines.look(); line !== undefined && lines.whole; line = lines.look()) {
    if (line !== TOO_LONG) take(reader.push(line));
    to = lines.end;
  }
  take(reader.end());
  lines.close();
  const fresh = found.filter(({ role, text }) => role !== 'assistant' || lastSeen === undefined || markOf(text) !== lastSeen);
  const lastText = lastMessage?.trim() ?? '';
  const isThere = lastText === '' || fresh.some(({ role, text }) => role === 'assistant' && text.trim() === lastText);
  const ending: Message[] = isThere
    ? []
    : [cleanMessage({ id: `reply-${markOf(lastText)}`, sessionId: session, role: 'assistant', text: lastText }, exclusion)];
  const sources = new ToolAnswers({ project, afterOutside });
  for (const message of found) sources.add(message);
  return {
    episode: { facts: { sessionId: session, client, ...(project !== undefined && { project }) }, entries: [...fresh, ...ending], whole: true, afterOutside },
    endsOutside: sources.afterOutside,
    to,
    ...(lastText !== '' && { lastSeen: markOf(lastText) }),
  };
}

const markOf = (text: string): string => fingerprint(text.trim());
