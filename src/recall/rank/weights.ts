/**
 * The one table of ranking weights. A channel stays only if it helps on most projects (`npm run bench -- retrieval --ablate`).
 * Matches are scaled to the question's best candidate, so a weight is the most that a candidate can earn by that channel.
 */

/** The kind of text: agents at work, people talking, or a record or document. */
export type Register = 'work' | 'talk' | 'kept';

export const CHANNELS = ['near', 'pairs', 'unit', 'bestThree', 'length', 'answer', 'asks', 'speaker', 'asked', 'time', 'unitSize'] as const;
export type Channel = (typeof CHANNELS)[number];

export const WEIGHTS: Readonly<Record<Register, Readonly<Partial<Record<Channel, number>>>>> = {
  work: { near: 2, pairs: 1, unit: 0.5, bestThree: 1.5, unitSize: -1, time: 1 },
  talk: { near: 5.5, unit: 0.7, length: 2, answer: 1.7, asks: -1.1, speaker: 1.1, asked: 2.1, time: 3 },
  kept: { near: 3, pairs: 1, unit: 1.5, time: 1 },
};

/** Channels that already are shares; all others are scaled to the best candidate. */
export const SHARES: ReadonlySet<Channel> = new Set(['length', 'answer', 'asks', 'speaker', 'asked', 'time', 'unitSize']);

/** Weights of the chunks before and after a chunk, up to a gap in terms. */
export const NEIGHBOURHOOD = { before: 0.67, after: 0.4, maxGap: 40 } as const;

/** BM25 over chunks, over a chunk with its neighbours, and over units. */
export const CHUNK_BM25 = { k1: 0.9, b: 0.6 } as const;
export const WINDOW_BM25 = { k1: 1.3, b: 0.75 } as const;
export const UNIT_BM25 = { k1: 1.2, b: 0.95 } as const;

/** How much more the terms of a title count. */
export const TITLE_SHARE = 1.5;

/** Deduction for each further hit of a unit: large in sessions of work, small in talk, where several messages may answer. */
export const REPEAT: Readonly<Record<Register, number>> = { work: 0.4, talk: 0.008, kept: 0.2 };

/** Points added to the match, for which the best hit earns about 1. */
export const SIGNALS = {
  /** A record or document is worth more than a message. */
  kept: 0.1,
  recency: 0.08,
  recencyHalfLifeDays: 90,
  trust: { confirmed: 0.05, observed: 0, quarantined: -0.15 },
  status: { active: 0, retired: -0.3, archived: -0.3 },
  category: { decision: 0.03, constraint: 0.03, preference: 0.03, runbook: 0.02, tech_debt: 0, session_summary: 0, analysis: 0, subagent_report: -0.02 },
  superseded: -0.15,
  files: 0.2,
  /** The least share of `files` for a record about one of many open files. */
  openAtLeast: 0.5,
  quoted: 0.3,
  feedback: 0.05,
  feedbackLimit: 3,
  /** At most this much added for a record that agents used or the user repeated, subtracted for one never used. */
  use: 0.05,
  distance: -0.1,
} as const;

/** Points for the text nearest in meaning, the deduction by a session's size, and the share from which a text counts without a shared word. */
export const MEANING = { points: { work: 0.2, talk: 0.05, kept: 0.3 }, size: 0.03, withoutSharedWord: 0.5 } as const;
