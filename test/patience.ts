import { spawnSync } from 'node:child_process';

/** For waiting on another process: it only guards against waiting for ever, so it is long enough for a busy machine. */
export const PATIENCE = { timeout: 100_000, interval: 50 } as const;

/** An empty Node process takes at most this long on any machine that is not busy. */
const EMPTY_PROCESS_MS = 100;

/** How many times as long as on a quiet machine a process takes just now; 1 at least. */
function slowness(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return Math.max(1, (performance.now() - started) / EMPTY_PROCESS_MS);
}

/**
 * The result of work that takes at most `limitMs` milliseconds on a quiet machine, in one of three attempts; undefined when all three took longer.
 * A busy machine may delay one, and is measured then; a program that waits for what it cannot have is late every time.
 */
export async function inTime<T>(limitMs: number, work: (attempt: number) => Promise<T>): Promise<T | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const started = performance.now();
    const result = await work(attempt);
    const took = performance.now() - started;
    if (took < limitMs || took < limitMs * slowness()) return result;
  }
  return undefined;
}
