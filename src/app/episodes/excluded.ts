import { Exclusion } from '../../capture/cleaning/exclude.ts';
import type { Message } from '../../core/episode/episode.ts';
import { type EpisodeArchive, isMessage, type StoredSession } from '../../core/ports/episodes.ts';
import { type EpisodeStore, refillIndex } from './keep.ts';
import { archivedLine, archiveLine } from './archive-line.ts';
import type { ForgottenText } from '../../core/lifecycle/forgotten-text.ts';
import type { EpisodeStores, OpenSources } from './store.ts';

/** A session that was archived before `capture.exclude` covered some of its messages. */
export interface ExcludedSession {
  readonly sessionId: string;
  /** Messages that today's settings would store differently. */
  readonly messages: number;
}

/** An exclusion remembers tool calls, so each pass over a session needs a new one. */
type Excluding = () => Exclusion;

const isSameMessage = (a: Message, b: Message): boolean =>
  a.text === b.text && (a.toolCalls ?? []).every(({ input, command }, nth) => input === b.toolCalls?.[nth]?.input && command === b.toolCalls[nth].command);

function excludedIn(archive: EpisodeArchive, session: StoredSession, exclusion: Exclusion): { readonly lines: readonly string[]; readonly messages: number } {
  const lines: string[] = [];
  let messages = 0;
  for (const block of archive.blocks(session.archive, session.archiveBytes)) {
    for (const text of block.lines) {
      const line = archivedLine(text);
      const message = line && 'entry' in line && isMessage(line.entry) ? line.entry : undefined;
      const allowed = message && exclusion.of(message);
      const isUnchanged = message === undefined || allowed === undefined || isSameMessage(message, allowed);
      lines.push(isUnchanged ? text : archiveLine(allowed));
      if (!isUnchanged) messages++;
    }
  }
  return { lines, messages };
}

/** The sessions of a project's archive that hold messages which are excluded today. */
function findExcluded({ index, archive }: EpisodeStore, excluding: Excluding): readonly ExcludedSession[] {
  return index.sessions(-1).flatMap((session) => {
    const { messages } = excludedIn(archive, session, excluding());
    return messages === 0 ? [] : [{ sessionId: session.facts.sessionId, messages }];
  });
}

/** Changes the archive and rebuilds the index from it, as the one writer. */
async function rewriteArchive<T>({ index, archive }: EpisodeStore, rewrite: () => Promise<T>): Promise<T> {
  // If this is interrupted, the next process that opens the index rebuilds it.
  index.begin().whole(false);
  index.commit();
  const change = index.begin();
  try {
    const result = await rewrite();
    refillIndex(change, archive);
    index.commit();
    return result;
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}

/** Removes excluded messages from the archive and the index. */
export const removeExcluded = (store: EpisodeStore, excluding: Excluding): Promise<readonly ExcludedSession[]> =>
  rewriteArchive(store, async () => {
    const { index, archive } = store;
    const excluded: ExcludedSession[] = [];
    for (const session of index.sessions(-1)) {
      const { lines, messages } = excludedIn(archive, session, excluding());
      if (messages === 0) continue;
      archive.replace(session.archive, await archive.pack(lines));
      excluded.push({ sessionId: session.facts.sessionId, messages });
    }
    return excluded;
  });

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
    const excluded = findExcluded(store, excluding);
    if (!remove || excluded.length === 0) return excluded;
    // The next import restores messages that the archive dropped, from transcripts that still exist.
    if (store.index.sessions(-1).some(({ dropped }) => dropped)) {
      const sources = host.openSources();
      sources.forget();
      sources.close();
    }
    const removed = await removeExcluded(store, excluding);
    // Vectors refer to texts by numbers that have changed now.
    host.removeVectors(key);
    return removed;
  } finally {
    close();
  }
}

/** A line of an archive without the text. The message is marked as forgotten, so that a transcript does not restore the text. */
function cleaned(line: string, text: ForgottenText): string {
  if (!text.isIn(line)) return line;
  const clean = text.removeFrom(line);
  const message = archivedLine(clean);
  return message !== undefined && 'entry' in message ? archiveLine({ ...message.entry, forgotten: true }) : clean;
}

/**
 * Removes text from a project's archived conversations and from their index. The index also holds conversations that are not in the archive: they leave it
 * if one of them contains the text. True if the text was found.
 */
export async function forgetInEpisodes(store: EpisodeStore, text: ForgottenText, isIndexed: () => boolean): Promise<boolean> {
  const { archive } = store;
  const names = archive.names().filter((name) => [...archive.blocks(name)].some(({ lines }) => lines.some((line) => text.isIn(line))));
  if (names.length === 0 && !isIndexed()) return false;
  await rewriteArchive(store, async () => {
    for (const name of names) {
      const lines = [...archive.blocks(name)].flatMap((block) => block.lines.map((line) => cleaned(line, text)));
      archive.replace(name, await archive.pack(lines));
    }
  });
  return true;
}

/** Removes whole sessions from a project's archive and index. */
export const removeSessions = (store: EpisodeStore, ids: ReadonlySet<string>): Promise<void> =>
  rewriteArchive(store, async () => {
    for (const { facts, archive: name } of store.index.sessions(-1)) if (ids.has(facts.sessionId)) store.archive.remove(name);
  });
