import type { TriageResult } from '../../capture/triage/triage.ts';
import type { Config } from '../../core/config/effective.ts';
import type { Client } from '../../core/episode/episode.ts';
import type { EpisodePart, StoredSession } from '../../core/ports/episodes.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { Result } from '../../core/result.ts';
import type { Episode } from './read.ts';
import type { ImportReport } from './tally.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
}

export interface TranscriptImportOptions {
  /** Files and folders; without any, where the clients of this machine keep their transcripts. */
  readonly paths: readonly string[];
  readonly format?: Client;
  readonly onProgress?: (progress: Progress) => void;
}

export interface TranscriptImport extends ImportReport {
  readonly seconds: number;
  /** The most memory that the process held, in bytes. */
  readonly peakBytes: number;
}

/** A session found by its id or by the beginning of it. */
export interface FoundEpisode {
  readonly project: string;
  readonly session: StoredSession;
  readonly episode: Episode;
}

/** A message with the session that it stands in. */
export interface FoundMessage extends FoundEpisode {
  readonly messageId: string;
}

/** An episode by its session, or from a transcript, imported or not; without either, the last one of the current project. */
export interface EpisodeSource {
  readonly session?: string;
  readonly transcript?: string;
}

/** An episode, and the key of its project if that is known. */
export interface ChosenEpisode {
  readonly project?: string;
  readonly episode: Episode;
}

/** The operations on conversations for the command line and other edges; opened for one home. */
export interface Episodes {
  import(options: TranscriptImportOptions): Promise<Result<TranscriptImport>>;
  find(sessionId: string): Promise<Result<FoundEpisode>>;
  /** The session of a message, by the message's id or a beginning that only one has, in the current project; of several sessions with that message, the newest. */
  findMessage(id: string): Promise<Result<FoundMessage>>;
  /** Sessions of a project, newest first: the current one unless a key names another. */
  recent(limit: number, project?: string): Promise<readonly StoredSession[]>;
  choose(source: EpisodeSource): Promise<Result<ChosenEpisode>>;
  /** All stored conversations of a project, newest first. */
  all(project: string): Iterable<Episode>;
  /** The same conversations as text for a bundle. */
  conversationTexts(project: string): Iterable<{ readonly session: string; readonly text: string }>;
  /** Parses such a text; refuses any other. */
  parseConversation(name: string, text: string): Result<Episode>;
  /** Imports conversations from another machine, each only once. Returns how many messages are new. */
  importConversations(project: string, archiveBytes: number, conversations: readonly Episode[]): Promise<number>;
  /** Copies the conversations of a project to another, which owns them from then on. */
  copyConversations(from: string, to: string): Promise<{ readonly sessions: number; readonly messages: number }>;
  /** Removes the conversations of a merged project from the project that it was merged into. Returns how many. */
  returnConversations(from: string, to: string): Promise<number>;
  /** The newest commit that is stored for a project. */
  newestCommit(project: string): string | undefined;
  /** Stores parts that are not conversations of a client. Returns how many messages are new. */
  storeParts(project: string, parts: readonly EpisodePart[]): Promise<number>;
  /** The parts of an episode that are worth a record, by the settings of its project. */
  triage(episode: Episode, config: Config): TriageResult;
  /** A summary of it as a draft of a record, made without a model. */
  summarize(episode: Episode, config: Config): Draft;
}
