const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Stored times are UTC to the second, as the documents write them. */
export function utcSeconds(epochMs: number): string {
  const at = new Date(epochMs);
  const year = at.getUTCFullYear();
  // `toISOString` finds out the time zone first, which takes a start as long as reading ten files.
  if (!(year > 999 && year < 10_000)) return `${at.toISOString().slice(0, 19)}Z`;
  const [month, day, hours, minutes, seconds] = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two);
  return `${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`;
}

const DAY_MS = 86_400_000;
export const daysInMs = (days: number): number => days * DAY_MS;

/** Epoch milliseconds of a stored time; a time without a zone is UTC; undefined when it is none. */
export function epochOf(instant: string | null | undefined): number | undefined {
  if (!instant) return undefined;
  // Nearly all end so, and an import asks twice for every message.
  const isZoned = instant.endsWith('Z') || /(?:z|[+-]\d{2}:?\d{2})$/.test(instant) || !instant.includes('T');
  const zoned = isZoned ? instant : `${instant}Z`;
  const epoch = Date.parse(zoned);
  return Number.isNaN(epoch) ? undefined : epoch;
}
