import type { Client, GIT } from '../../episode/episode.ts';
import type { EpisodeArchive, EpisodeChange, EpisodePart } from '../episodes.ts';

/** A conversation that a member sent. Times are epoch milliseconds. */
export interface TeamConversation {
  /** The id of its session. */
  readonly id: string;
  readonly author: string;
  readonly client: Client | typeof GIT;
  readonly title: string;
  readonly messages: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** A digest of its whole text on the author's machine; absent while parts are missing. */
  readonly digest?: string;
}

/** The operations with which the server stores a batch of conversations. */
export interface ConversationBatch {
  readonly change: EpisodeChange;
  readonly archive: Pick<EpisodeArchive, 'pack' | 'append'>;
}

/** The conversations of a project on a team's server, inside one transaction. */
export interface ConversationStore {
  /** Every change takes this lock first and holds it until the transaction ends. */
  lock(): Promise<void>;
  /** Those of the ids that are there. */
  known(ids: readonly string[]): Promise<readonly TeamConversation[]>;
  /** Newest first; `before` is when the last one of the page before ended. */
  list(page: { readonly before?: number; readonly limit: number }): Promise<readonly TeamConversation[]>;
  /** Runs `work` on what is known of the parts' sessions, then stores all that it changed. */
  inBatch<T>(parts: readonly EpisodePart[], work: (batch: ConversationBatch) => Promise<T>): Promise<T>;
  /** Notes whose they are, and a digest where the text is whole. */
  note(id: string, author: string, digest: string | undefined): Promise<void>;
  /** The lines of its archive, as they were packed. */
  lines(id: string): Promise<readonly string[]>;
  /** Takes it out with every term, and with those of the words that nothing else in the project holds. */
  remove(id: string, words: readonly (readonly [word: string, ...terms: string[]])[]): Promise<void>;
}
