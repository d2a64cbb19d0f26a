import type { Client } from '../../core/episode.ts';
import type { StoredSession } from '../../core/ports/episodes.ts';
import type { Result } from '../../core/result.ts';
import type { Episode } from './read.ts';
import type { ImportReport } from './tally.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
}

export interface ImportAsked {
  /** Files and folders; without any, where the clients of this machine keep their transcripts. */
  readonly paths: readonly string[];
  readonly format?: Client;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Imported extends ImportReport {
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

/** What the command line and other doors can do with conversations; opened for one home. */
export interface Episodes {
  import(asked: ImportAsked): Promise<Result<Imported>>;
  find(sessionId: string): Promise<Result<FoundEpisode>>;
  /** Sessions of the project at hand, newest first. */
  recent(limit: number): Promise<readonly StoredSession[]>;
}
