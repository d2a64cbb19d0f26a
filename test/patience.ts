/** For waiting on another process: it only guards against waiting for ever, so it is long enough for a busy machine. */
export const PATIENCE = { timeout: 100_000, interval: 50 } as const;

/**
 * What work gives that is done within so many milliseconds, in one of three attempts; undefined when all three took longer.
 * A busy machine may delay one; a program that waits for what it cannot have is late every time.
 */
export async function inTime<T>(limitMs: number, work: (attempt: number) => Promise<T>): Promise<T | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const started = performance.now();
    const result = await work(attempt);
    if (performance.now() - started < limitMs) return result;
  }
  return undefined;
}
