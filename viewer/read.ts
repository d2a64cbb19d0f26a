import { useLayoutEffect, useState } from 'preact/hooks';
import type { Reads } from '../src/edges/http/contract.ts';
import { ask, type Asks, pathOf } from './api.ts';
import { Refusal } from './refusal.ts';
import { version } from './state.ts';

export interface Reading<T> {
  readonly data?: T;
  readonly error?: Refusal;
}

/** Asks the server, and again when the request or the memory changes. The last answer stays until the next arrives. */
export function useRead<K extends keyof Reads>(name: K, asks: Asks<K> | undefined): Reading<Reads[K]['gets']> {
  const [reading, setReading] = useState<Reading<Reads[K]['gets']> & { readonly path?: string }>({});
  const path = asks === undefined ? undefined : pathOf(name, asks);
  const now = version.value;
  // Runs before the next frame is drawn; `useEffect` would ask a frame or two later.
  useLayoutEffect(() => {
    if (asks === undefined) return;
    const stop = new AbortController();
    ask(name, asks, stop.signal).then(
      (data) => !stop.signal.aborted && setReading({ data, ...(path !== undefined && { path }) }),
      (error: unknown) => !stop.signal.aborted && error instanceof Refusal && setReading({ error, ...(path !== undefined && { path }) }),
    );
    return () => stop.abort();
  }, [path, now]);
  return reading;
}
