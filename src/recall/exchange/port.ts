import type { Answer, Postings } from '../port.ts';

/**
 * A project's conversations as exchanges. An exchange runs from the prompt that opens a topic to the next such prompt of the session, and is identified by
 * the number of its first chunk.
 */
export interface ExchangeIndex {
  postings(terms: readonly string[], most: number): Answer<readonly Postings[]>;
  outline(): Answer<Outline>;
  /** The messages of the chunks from `first` up to but not including `next`. */
  turns(first: number, next: number): Answer<readonly Turn[]>;
}

/** All exchanges by ascending first chunk, and how old their sessions are. */
export interface Outline {
  readonly firsts: ArrayLike<number>;
  /** Terms in each. */
  readonly terms: ArrayLike<number>;
  /** By unit number. */
  readonly sessions: ReadonlyMap<number, OutlineSession>;
}

export interface OutlineSession {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /** How many sessions ended after it. */
  readonly newer: number;
}

/** One message of an exchange. */
export interface Turn {
  readonly messageId: string;
  readonly byUser: boolean;
  readonly text: string;
  readonly at?: number;
}
