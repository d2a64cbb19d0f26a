/**
 * The one table of ranking weights. A channel stays only where it helps on most projects (`npm run bench -- retrieval --ablate`).
 * What matched is scaled to the question's best candidate, so a weight is what the best can earn by that channel.
 */

/** How a unit reads: agents at work, people talking, or kept on purpose. */
export type Register = 'work' | 'talk' | 'kept';

export const CHANNELS = ['near', 'pairs', 'unit', 'bestThree', 'length', 'answer', 'asks', 'speaker', 'asked', 'time', 'unitSize'] as const;
export type Channel = (typeof CHANNELS)[number];

export const WEIGHTS: Readonly<Record<Register, Readonly<Partial<Record<Channel, number>>>>> = {
  work: { near: 2, pairs: 1, unit: 0.5, bestThree: 1.5, unitSize: -1, time: 1 },
  talk: { near: 5.5, unit: 0.7, length: 2, answer: 1.7, asks: -1.1, speaker: 1.1, asked: 2.1, time: 3 },
  kept: { near: 3, pairs: 1, unit: 1.5, time: 1 },
};

/** Channels that are shares already; all others are scaled to the best candidate. */
export const SHARES: ReadonlySet<Channel> = new Set(['length', 'answer', 'asks', 'speaker', 'asked', 'time', 'unitSize']);

/** How the chunks around a chunk count for it: what was said just before counts most. */
export const NEIGHBOURHOOD = { before: 0.67, after: 0.4, reach: 40 } as const;

/** BM25 over chunks, over a chunk with its neighbours, and over units. */
export const CHUNK_BM25 = { k1: 0.9, b: 0.6 } as const;
export const WINDOW_BM25 = { k1: 1.3, b: 0.75 } as const;
export const UNIT_BM25 = { k1: 1.2, b: 0.95 } as const;

/** How much more the terms of a title count. */
export const TITLE_SHARE = 1.5;

/** A further hit of one unit gives way to another unit's: much in sessions of work, little in talk, where several messages may answer. */
export const REPEAT: Readonly<Record<Register, number>> = { work: 0.4, talk: 0.008, kept: 0.2 };

/** Points on top of what matched, where the best match of all earns about 1. */
export const SIGNALS = {
  /** Kept on purpose, so worth more than what was merely said. */
  kept: 0.1,
  recency: 0.08,
  recencyHalfLifeDays: 90,
  trust: { confirmed: 0.05, observed: 0, quarantined: -0.15 },
  status: { active: 0, retired: -0.3, archived: -0.3 },
  category: { decision: 0.03, constraint: 0.03, preference: 0.03, runbook: 0.02, tech_debt: 0, session_summary: 0, analysis: 0, subagent_report: -0.02 },
  superseded: -0.15,
  files: 0.2,
  /** Share of that for a record about one of many files open in the work. */
  openAtLeast: 0.5,
  quoted: 0.3,
  feedback: 0.05,
  feedbackLimit: 3,
  /** For what agents used or the user repeated, off for what they never used: at most this much. */
  use: 0.05,
  distance: -0.1,
} as const;

/** What the text nearest in meaning earns, by register; what a session's cosine loses by its size; and how near a text must be to be shown without a shared word. */
export const MEANING = { points: { work: 0.2, talk: 0.05, kept: 0.3 }, size: 0.03, alone: 0.5 } as const;
