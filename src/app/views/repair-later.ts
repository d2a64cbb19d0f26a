import type { Timers } from '../../core/ports/host.ts';

const IDLE_MS = 200;

/** Work that waits until the memory is idle or closed. */
export interface DebouncedWork {
  schedule(): void;
  flush(): Promise<void>;
}

/** Postpones work until it was not scheduled again for `IDLE_MS`. */
export function debounce(timers: Timers, work: () => Promise<void>): DebouncedWork {
  let cancel: (() => void) | undefined;
  let done = Promise.resolve();
  const run = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const running = done.then(work);
    // Views that could not be repaired stay marked as outdated, so that the next reader tries again.
    done = running.catch(() => undefined);
    return running;
  };
  return {
    flush: () => (cancel === undefined ? done : run()),
    schedule: () => {
      cancel?.();
      cancel = timers.after(IDLE_MS, () => void run().catch(() => undefined));
    },
  };
}
