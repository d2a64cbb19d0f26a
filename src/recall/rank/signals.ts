import { daysInMs } from '../../core/instant.ts';
import type { Candidate } from './candidates.ts';
import type { Part } from './score.ts';
import { SIGNALS } from './weights.ts';

/** What is known of the moment a question is asked. */
export interface Surroundings {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Files named in the question or open in the work. */
  readonly files: readonly string[];
  readonly branch?: string;
  /** Phrases to be found as they stand. */
  readonly quoted: readonly string[];
}

/** Points for what a hit is rather than what it says. */
export function signalsOf({ row, chunk, shelf }: Candidate, { now, files, branch, quoted }: Surroundings): Part[] {
  const parts: Part[] = [];
  const add = (signal: string, weight: number, value = 1): void => {
    if (weight !== 0 && value !== 0) parts.push({ signal, value, points: weight * value });
  };
  add('distance', SIGNALS.distance, shelf.distance);
  if (branch !== undefined && row.branch === branch) add('branch', SIGNALS.branch);
  add('files', SIGNALS.files, overlap(files, row.files ?? []));
  if (quoted.length > 0) add('quoted', SIGNALS.quoted, quotedShare(chunk.text, quoted));
  add('feedback', SIGNALS.feedback, Math.max(-SIGNALS.feedbackLimit, Math.min(SIGNALS.feedbackLimit, row.feedback ?? 0)));
  if (row.type === 'session') return parts;
  add('kept', SIGNALS.kept);
  if (row.endedAt !== undefined) add('recency', SIGNALS.recency, 0.5 ** (Math.max(0, now - row.endedAt) / daysInMs(SIGNALS.recencyHalfLifeDays)));
  if (row.trust !== undefined) add('trust', SIGNALS.trust[row.trust]);
  if (row.status !== undefined) add('status', SIGNALS.status[row.status]);
  if (row.category !== undefined) add('category', SIGNALS.category[row.category]);
  if (row.supersededBy !== undefined) add('superseded', SIGNALS.superseded);
  return parts;
}

/** Share of the files at hand that a record is about; a path may be given from anywhere down. */
function overlap(files: readonly string[], about: readonly string[]): number {
  if (files.length === 0 || about.length === 0) return 0;
  const same = files.filter((file) => about.some((other) => other === file || other.endsWith(`/${file}`) || file.endsWith(`/${other}`)));
  return same.length / files.length;
}

function quotedShare(text: string, quoted: readonly string[]): number {
  const lower = text.toLowerCase();
  return quoted.filter((words) => lower.includes(words.toLowerCase())).length / quoted.length;
}

const PATH = /(?:[\w@.-]+\/)+[\w@.-]*\w|\b[\w-]+\.[a-z]{1,5}\b/g;

/** Paths and file names that a question names. */
export const filesIn = (question: string): string[] => [...new Set(question.match(PATH) ?? [])];
