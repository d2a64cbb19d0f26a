import type { Timers } from '../../core/ports/host.ts';

export const timers: Timers = {
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};
