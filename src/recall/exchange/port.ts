import type { Answer, Postings } from '../port.ts';

/**
 * A project's conversations as exchanges: from the prompt that opens a matter to the next one. An exchange is known by the number of its first chunk; its
 * chunks are those up to the first of the next exchange of the same session.
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
  /** By number of the unit: its id, when it ended (epoch milliseconds) and how many ended after it. */
  readonly sessions: ReadonlyMap<number, OutlineSession>;
}

export interface OutlineSession {
  readonly id: string;
  readonly endedAt: number;
  readonly newer: number;
}

/** One message of an exchange. */
export interface Turn {
  readonly messageId: string;
  readonly byUser: boolean;
  readonly text: string;
  readonly at?: number;
}
