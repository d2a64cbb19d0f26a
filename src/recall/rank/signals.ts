import { daysInMs } from '../../core/instant.ts';
import { useValue } from '../../core/use/item-use.ts';
import type { RankCandidate } from './candidates.ts';
import { filesAbout } from '../text/analyze.ts';
import type { ScorePart } from './score.ts';
import { SIGNALS } from './weights.ts';

/** The context of a question. */
export interface RankContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Files that the question names. */
  readonly named: readonly string[];
  /** Files open in the work. */
  readonly open: readonly string[];
  /** Phrases matched word for word. */
  readonly quoted: readonly string[];
}

/** Points for a hit's properties, apart from its text. */
export function signalsOf({ row, chunk, part }: RankCandidate, { now, named, open, quoted }: RankContext): ScorePart[] {
  const parts: ScorePart[] = [];
  const add = (signal: string, weight: number, value = 1): void => {
    if (weight !== 0 && value !== 0) parts.push({ signal, value, points: weight * value });
  };
  add('distance', SIGNALS.distance, part.distance);
  add('files', SIGNALS.files, Math.max(shareOf(named, row.files), openShare(open, row.files)));
  if (quoted.length > 0) add('quoted', SIGNALS.quoted, quotedShare(chunk.text, quoted));
  add('feedback', SIGNALS.feedback, Math.max(-SIGNALS.feedbackLimit, Math.min(SIGNALS.feedbackLimit, row.feedback ?? 0)));
  if (row.type === 'session') return parts;
  add('use', SIGNALS.use, useValue(`${row.category ?? row.type}/${row.id}`, row.use));
  add('kept', SIGNALS.kept);
  if (row.endedAt !== undefined) add('recency', SIGNALS.recency, 0.5 ** (Math.max(0, now - row.endedAt) / daysInMs(SIGNALS.recencyHalfLifeDays)));
  if (row.trust !== undefined) add('trust', SIGNALS.trust[row.trust]);
  if (row.status !== undefined) add('status', SIGNALS.status[row.status]);
  if (row.category !== undefined) add('category', SIGNALS.category[row.category]);
  if (row.supersededBy !== undefined) add('superseded', SIGNALS.superseded);
  return parts;
}

/** Share of the files that a record is about. */
const shareOf = (files: readonly string[], about: readonly string[] = []): number => (files.length === 0 ? 0 : filesAbout(files, about).length / files.length);

/** A question is about few of the open files, so that one of them counts for more than its share. */
function openShare(files: readonly string[], about: readonly string[] | undefined): number {
  const share = shareOf(files, about);
  return share === 0 ? 0 : Math.max(SIGNALS.openAtLeast, share);
}

function quotedShare(text: string, quoted: readonly string[]): number {
  const lower = text.toLowerCase();
  return quoted.filter((words) => lower.includes(words.toLowerCase())).length / quoted.length;
}

const PATH = /(?:[\w@.-]+\/)+[\w@.-]*\w|\b[\w-]+\.[a-z]{1,5}\b/g;

/** Paths and file names that a question names. */
export const filesIn = (question: string): string[] => [...new Set(question.match(PATH) ?? [])];
