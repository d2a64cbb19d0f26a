/** For waiting on another process: it only guards against waiting for ever, so it is long enough for a busy machine. */
export const PATIENCE = { timeout: 100_000, interval: 50 } as const;
