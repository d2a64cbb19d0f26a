import { cleanMessage, cleanText, READ_LIMITS } from '../../capture/cleaning/clean.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { TRANSCRIPT_LIMITS, fingerprint } from '../../capture/transcripts/event.ts';
import { readerFor } from '../../capture/transcripts/detect.ts';
import { type Client, GIT, type SessionFacts, type Message } from '../../core/episode/episode.ts';
import { isFailure } from '../../core/failure.ts';
import {
  type EpisodeEntry,
  type EpisodeArchive,
  isMessage,
  type MessageOfSession,
  type StoredSession,
  TOO_LONG,
  type Transcripts,
} from '../../core/ports/episodes.ts';
import { joinFacts, archivedLine, sizeOfEntry } from './archive-line.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

/** An episode in full: what is known of the session, and its entries in the order of time. */
export interface Episode {
  readonly facts: SessionFacts;
  readonly entries: readonly EpisodeEntry[];
  /** False if the archive dropped some of its text and its transcript is gone. */
  readonly whole: boolean;
  /** It continues after an agent read text from outside, so that its first words may come from there. */
  readonly afterOutside?: boolean;
}

/** Reads an episode from the archive, and from its transcript if the archive has dropped its text. */
export function readEpisode(archive: EpisodeArchive, transcripts: Transcripts, session: StoredSession, exclusion: Exclusion): Episode {
  const archived = archivedEpisode(archive, session);
  const isWhole = session.messages === 0 || (!session.dropped && archived.length > 0);
  const { client } = session.facts;
  const reread = isWhole || client === GIT ? undefined : readTranscript(transcripts, session.source, client, exclusion).get(session.facts.sessionId);
  const entries = inOrder(reread === undefined ? archived : [...reread.entries, ...archived]);
  return { facts: session.facts, entries, whole: isWhole || reread !== undefined };
}

function archivedEpisode(archive: EpisodeArchive, session: StoredSession): EpisodeEntry[] {
  const entries: EpisodeEntry[] = [];
  for (const { lines } of archive.blocks(session.archive, session.archiveBytes)) {
    for (const text of lines) {
      const line = archivedLine(text);
      if (line !== undefined && 'entry' in line) entries.push(line.entry);
    }
  }
  return entries;
}

interface ReadSession {
  facts: SessionFacts;
  readonly entries: EpisodeEntry[];
}

/** The sessions of one transcript, cleaned as an import would clean them; none if the transcript is gone. */
export function readTranscript(transcripts: Transcripts, path: string, client: Client, exclusion: Exclusion): ReadonlyMap<string, ReadSession> {
  const sessions = new Map<string, ReadSession>();
  const sessionFor = (sessionId: string): ReadSession => {
    const session = sessions.get(sessionId) ?? { facts: { sessionId, client }, entries: [] };
    sessions.set(sessionId, session);
    return session;
  };
  try {
    const lines = transcripts.open(path, 0);
    const reader = readerFor(client, { path, limits: READ_LIMITS });
    const takeEvents = (events: ReturnType<typeof reader.push>): void => {
      for (const event of events) {
        if (event.kind === 'message') sessionFor(event.message.sessionId).entries.push(cleanMessage(event.message, exclusion));
        else if (event.kind === 'facts') sessionFor(event.facts.sessionId).facts = joinFacts(sessionFor(event.facts.sessionId).facts, event.facts);
        else if (event.kind === 'summary') {
          const { at, text } = event;
          sessionFor(event.sessionId).entries.push({
            id: `compaction-${fingerprint(at, text)}`,
            compaction: cleanText(text, TRANSCRIPT_LIMITS.text),
            ...(at !== undefined && { at }),
          });
        }
      }
    };
    for (let line = lines.look(); line !== undefined; line = lines.look()) if (line !== TOO_LONG) takeEvents(reader.push(line));
    takeEvents(reader.end());
    lines.close();
  } catch (cause) {
    if (!isFailure(cause) || cause.code !== 'READ_ERROR') throw cause;
  }
  return sessions;
}

/** Each entry once, in its longest version, sorted by time; an entry without a time follows the one before it. */
export function inOrder(entries: readonly EpisodeEntry[]): readonly EpisodeEntry[] {
  const fullest = new Map<string, EpisodeEntry>();
  for (const entry of entries) {
    const known = fullest.get(entry.id);
    if (known === undefined || sizeOfEntry(entry) > sizeOfEntry(known)) fullest.set(entry.id, entry);
  }
  let last = '';
  const timed = [...fullest.values()].map((entry) => ({ entry, at: (last = entry.at ?? last) }));
  return timed.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ entry }) => entry);
}

export const messagesIn = (episode: Episode) => episode.entries.filter(isMessage);

export interface MessagesRequest {
  /** The message to show with what was said before and after it; all without it. */
  readonly around?: string;
  readonly before: number;
  readonly after: number;
}

export interface SessionMessages {
  readonly messages: readonly Message[];
  /** Numbers of messages before and after these. */
  readonly earlier: number;
  readonly later: number;
}

/** The messages of a session, or those around one of them. */
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

const SHORTEST_PREFIX = 6;

/** The message that an id names, or a beginning that only one has; of several sessions with it, the first given. */
export function messageNamed(id: string, like: readonly MessageOfSession[]): Result<MessageOfSession> {
  const [first] = like;
  if (first?.messageId === id) return ok(first);
  const other = like.find(({ messageId }) => messageId !== first?.messageId);
  if (first === undefined || id.length < SHORTEST_PREFIX)
    return refuse('NOT_FOUND', `No message ${JSON.stringify(id)} found.`, { missing: true, hint: 'find its id with holdfast search' });
  if (other === undefined) return ok(first);
  return refuse('AMBIGUOUS_ID', `Several messages begin with ${JSON.stringify(id)}.`, { hint: `such as ${first.messageId} and ${other.messageId}` });
}
