import type { Timers } from '../../core/ports/host.ts';

const IDLE_MS = 200;

/** Work that waits until things are quiet or the memory is closed. */
export interface PutOffWork {
  later(): void;
  flush(): Promise<void>;
}

/** Puts the repair of views off until the memory is idle. */
export function putOff(timers: Timers, work: () => Promise<void>): PutOffWork {
  let cancel: (() => void) | undefined;
  let done = Promise.resolve();
  const start = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const doing = done.then(work);
    // The caller does not wait for this. Views that could not be repaired stay marked, and the next reader asks again.
    done = doing.catch(() => undefined);
    return doing;
  };
  return {
    flush: () => (cancel === undefined ? done : start()),
    later: () => {
      cancel?.();
      cancel = timers.after(IDLE_MS, () => void start().catch(() => undefined));
    },
  };
}
