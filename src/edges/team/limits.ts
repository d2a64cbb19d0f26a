/** Requests of one token: a second on average, and at once. */
const RATE = { perSecond: 20, burst: 200 } as const;
/** Wrong tokens from one address: a second on average, and at once. */
const WRONG_TOKENS = { perSecond: 0.2, burst: 20 } as const;
/** With more callers, the limit forgets the one that was quiet longest. */
const MOST_CALLERS = 10_000;

export interface RateLimit {
  /** Counts one request. Returns the seconds to wait if the limit is reached. */
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
      const oldest = buckets.size > MOST_CALLERS ? buckets.keys().next().value : undefined;
      if (oldest !== undefined) buckets.delete(oldest);
      if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond);
      bucket.left -= 1;
      return undefined;
    },
  };
}

export interface TeamLimits {
  readonly requests: RateLimit;
  readonly wrongTokens: RateLimit;
}

export const teamLimits = (now: () => number): TeamLimits => ({ requests: rateLimit(now, RATE), wrongTokens: rateLimit(now, WRONG_TOKENS) });

/** Bytes of a request, as sent and unpacked. Up to `drained` is read and discarded, so that the client gets an answer and not a cut connection. */
export const REQUEST_BYTES = { sent: 8 * 1024 * 1024, drained: 64 * 1024 * 1024, unpacked: 24 * 1024 * 1024 } as const;
