/** Questions a second that a token may ask for long, and how many at once. */
const RATE = { perSecond: 20, burst: 200 } as const;
/** Wrong tokens that an address may show a minute. */
const WRONG = { perSecond: 0.2, burst: 20 } as const;
/** Beyond so many, those that have been quiet longest are forgotten. */
const CALLERS = 10_000;

export interface RateLimit {
  /** Takes one; the seconds to wait where there is none left. */
  take(caller: string): number | undefined;
}

/** A bucket for each caller that fills at a steady rate. */
export function rateLimit(now: () => number, { perSecond, burst }: { readonly perSecond: number; readonly burst: number }): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take: (caller) => {
      const bucket = buckets.get(caller) ?? { left: burst, at: now() };
      buckets.delete(caller);
      buckets.set(caller, bucket);
      bucket.left = Math.min(burst, bucket.left + ((now() - bucket.at) / 1000) * perSecond);
      bucket.at = now();
      const oldest = buckets.size > CALLERS ? buckets.keys().next().value : undefined;
      if (oldest !== undefined) buckets.delete(oldest);
      if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond);
      bucket.left -= 1;
      return undefined;
    },
  };
}

export interface TeamLimits {
  readonly questions: RateLimit;
  readonly wrongTokens: RateLimit;
}

export const teamLimits = (now: () => number): TeamLimits => ({ questions: rateLimit(now, RATE), wrongTokens: rateLimit(now, WRONG) });

/** Bytes of a question as it is sent, and after unpacking. Up to `drained` is read and thrown away, so that the client reads why instead of a cut connection. */
export const QUESTION_BYTES = { sent: 8 * 1024 * 1024, drained: 64 * 1024 * 1024, unpacked: 24 * 1024 * 1024 } as const;
