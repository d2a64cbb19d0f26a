import { epochOf, utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments } from './command.ts';

/** A range of time, open if an end is missing. */
export interface TimeRange {
  readonly since?: string;
  readonly until?: string;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time as people type it: 2026-05-01, 2026-05-01T10:00:00Z, or 7d for seven days ago. */
export function instantFrom(text: string, now: number): Result<string> {
  const ago = /^(\d+)([mhdw])$/.exec(text);
  if (ago) return ok(utcSeconds(now - Number(ago[1]) * (UNITS[ago[2] as string] ?? 0)));
  const epoch = /^\d{4}-\d{2}-\d{2}/.test(text) ? epochOf(text) : undefined;
  return epoch === undefined
    ? refuse('USAGE_ERROR', `Invalid time ${JSON.stringify(text)}.`, { hint: 'use a date (2026-05-01), a time (2026-05-01T10:00:00Z) or an age (12h, 7d)' })
    : ok(utcSeconds(epoch));
}

/** The range that `--since` and `--until` give. */
export function timeRangeOf(args: Arguments, now: number): Result<TimeRange> {
  const range: { since?: string; until?: string } = {};
  for (const edge of ['since', 'until'] as const) {
    const text = args.text(edge);
    if (text === undefined) continue;
    const instant = instantFrom(text, now);
    if (!instant.ok) return instant;
    range[edge] = instant.value;
  }
  return ok(range);
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The day of a stored time, in the reader's own time zone. */
export const shownDay = (instant: string): string => shownTime(instant).slice(0, 10);

/** A stored time as people read it: in their own time zone, to the minute. Shows an invalid time as it is. */
export function shownTime(instant: string): string {
  const epoch = epochOf(instant);
  if (epoch === undefined) return instant;
  const at = new Date(epoch);
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  // A date without a time of day is shown as it is.
  return instant.includes('T') || instant.includes(':') ? `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}` : instant;
}

/** Replaces each stored time in a text by one in the reader's time zone. */
export const withShownTimes = (text: string): string => text.replaceAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, (instant) => shownTime(instant));
