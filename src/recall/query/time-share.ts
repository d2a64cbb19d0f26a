import { daysInMs } from '../../core/instant.ts';
import type { TimeHint } from './time.ts';

/** Things are spoken of after they happened: how long after counts in part. */
const AFTERMATH = daysInMs(7);
const SAME_MONTH = 0.6;
const ONLY_YEAR = 0.3;
const NEARLY = 0.5;

/** How well a moment fits the time a question speaks of, from 0 to 1. */
export function timeShare(hint: TimeHint, at: number): number {
  if (hint.kind === 'range') {
    if (at >= hint.from && at < hint.to) return 1;
    return at >= hint.to && at < hint.to + AFTERMATH ? NEARLY : 0;
  }
  const date = new Date(at);
  const yearFits = hint.year === undefined || hint.year === date.getUTCFullYear();
  if (hint.month === undefined) return yearFits ? ONLY_YEAR : 0;
  if (hint.month !== date.getUTCMonth()) return 0;
  const exact = hint.day === undefined || hint.day === date.getUTCDate() ? 1 : SAME_MONTH;
  return yearFits ? exact : NEARLY * exact;
}
