import { Exclusion } from '../../capture/cleaning/exclude.ts';
import type { Message } from '../../core/episode/episode.ts';
import { type EpisodeArchive, isMessage, type StoredSession } from '../../core/ports/episodes.ts';
import { type EpisodeStore, refill } from './keep.ts';
import { archivedLine, archiveLine } from './archive-line.ts';
import type { ForgottenText } from '../../core/lifecycle/forgotten-text.ts';
import type { EpisodeStores, OpenSources } from './store.ts';

/** A session that was archived before `capture.exclude` left out what it holds. */
export interface ExcludedSession {
  readonly sessionId: string;
  /** Messages of it that would be kept otherwise today. */
  readonly messages: number;
}

/** An exclusion remembers calls by their session: a new one for each pass. */
type Excluding = () => Exclusion;

const isSame = (a: Message, b: Message): boolean =>
  a.text === b.text && (a.toolCalls ?? []).every(({ input, command }, nth) => input === b.toolCalls?.[nth]?.input && command === b.toolCalls[nth].command);

function excludedIn(archive: EpisodeArchive, session: StoredSession, exclusion: Exclusion): { readonly lines: readonly string[]; readonly messages: number } {
  const lines: string[] = [];
  let messages = 0;
  for (const block of archive.blocks(session.archive, session.archiveBytes)) {
    for (const text of block.lines) {
      const line = archivedLine(text);
      const message = line && 'entry' in line && isMessage(line.entry) ? line.entry : undefined;
      const allowed = message && exclusion.of(message);
      const isUnchanged = message === undefined || allowed === undefined || isSame(message, allowed);
      lines.push(isUnchanged ? text : archiveLine(allowed));
      if (!isUnchanged) messages++;
    }
  }
  return { lines, messages };
}

/** The parts of a project's archive that today's settings would leave out. */
function findExcluded({ index, archive }: EpisodeStore, excluding: Excluding): readonly ExcludedSession[] {
  return index.sessions(-1).flatMap((session) => {
    const { messages } = excludedIn(archive, session, excluding());
    return messages === 0 ? [] : [{ sessionId: session.facts.sessionId, messages }];
  });
}

/** Takes it out of the archive, and makes the index again from what is left, as the one writer. */
export async function removeExcluded({ index, archive }: EpisodeStore, excluding: Excluding): Promise<readonly ExcludedSession[]> {
  // If this is interrupted, the next process that opens the index rebuilds it.
  index.begin().whole(false);
  index.commit();
  const change = index.begin();
  try {
    const found: ExcludedSession[] = [];
    for (const session of index.sessions(-1)) {
      const { lines, messages } = excludedIn(archive, session, excluding());
      if (messages === 0) continue;
      archive.replace(session.archive, await archive.pack(lines));
      found.push({ sessionId: session.facts.sessionId, messages });
    }
    refill(change, archive);
    index.commit();
    return found;
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}

export interface ExcludedRequest {
  readonly project: { readonly key: string; readonly path: string };
  readonly exclude: readonly string[];
  readonly remove: boolean;
}

/** The parts of the machine that exclusion uses. */
export interface ExcludedHost {
  readonly stores: EpisodeStores;
  openSources(): OpenSources;
  /** Removes the vectors of a project's messages. */
  removeVectors(key: string): void;
}

/** The messages of a project that were archived before they were excluded; removes them if asked. */
export async function excludedFrom(host: ExcludedHost, { project: { key, path }, exclude, remove }: ExcludedRequest): Promise<readonly ExcludedSession[]> {
  if (exclude.length === 0 || !host.stores.has(key)) return [];
  const { store, close } = host.stores.open(key);
  try {
    const excluding = (): Exclusion => new Exclusion(exclude, path);
    const found = findExcluded(store, excluding);
    if (!remove || found.length === 0) return found;
    // The next import restores messages that the archive dropped, from transcripts that still exist.
    if (store.index.sessions(-1).some(({ dropped }) => dropped)) {
      const sources = host.openSources();
      sources.forget();
      sources.close();
    }
    const removed = await removeExcluded(store, excluding);
    // Vectors name texts by numbers, which have changed, and some of the texts are gone.
    host.removeVectors(key);
    return removed;
  } finally {
    close();
  }
}

/** A line of an archive without the text; a message that held some is marked, so that a transcript does not bring it back. */
function cleaned(line: string, text: ForgottenText): string {
  if (!text.isIn(line)) return line;
  const clean = text.removeFrom(line);
  const message = archivedLine(clean);
  return message !== undefined && 'entry' in message ? archiveLine({ ...message.entry, forgotten: true }) : clean;
}

/**
 * Takes text out of a project's archived conversations and makes their index again from what is left. Conversations that were never archived, or no longer
 * are, lie only in the index: they leave it if one of them holds the text. True when there was some.
 */
export async function forgetInEpisodes({ index, archive }: EpisodeStore, text: ForgottenText, isIndexed: () => boolean): Promise<boolean> {
  const holding = archive.names().filter((name) => [...archive.blocks(name)].some(({ lines }) => lines.some((line) => text.isIn(line))));
  if (holding.length === 0 && !isIndexed()) return false;
  // If this is interrupted, the next process that opens the index rebuilds it.
  index.begin().whole(false);
  index.commit();
  const change = index.begin();
  try {
    for (const name of holding) {
      const lines = [...archive.blocks(name)].flatMap((block) => block.lines.map((line) => cleaned(line, text)));
      archive.replace(name, await archive.pack(lines));
    }
    refill(change, archive);
    index.commit();
    return true;
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}

/** Takes whole sessions out of a project's archive, and makes the index again from what is left. */
export async function removeSessions({ index, archive }: EpisodeStore, ids: ReadonlySet<string>): Promise<void> {
  // If this is interrupted, the next process that opens the index rebuilds it.
  index.begin().whole(false);
  index.commit();
  const change = index.begin();
  try {
    for (const { facts, archive: name } of index.sessions(-1)) if (ids.has(facts.sessionId)) archive.remove(name);
    refill(change, archive);
    index.commit();
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}
