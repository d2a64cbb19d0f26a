import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefusedAnswer } from '../../src/edges/http/contract.ts';
import { key } from '../key.ts';
import { Refusal } from '../refusal.ts';

const GONE: RefusedAnswer = { error: 'GONE', message: 'The server does not answer.', hint: 'try again in a moment' };

interface TeamRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: object;
  readonly stop?: AbortSignal;
}

/** Asks the API with a token. */
export async function askWith<T>(token: string, path: string, { method = 'GET', body, stop }: TeamRequest = {}): Promise<T> {
  const response = await fetch(`/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(stop && { signal: stop }),
    cache: 'no-store',
  }).catch(() => undefined);
  const answer: unknown = await response?.json().catch(() => undefined);
  if (response === undefined || answer === undefined) throw new Refusal(GONE);
  if (response.status === 401) key.value = undefined;
  if (!response.ok) throw new Refusal(answer as RefusedAnswer);
  return answer as T;
}

/** Asks the API with the member's token; a token that is no longer valid signs the member out. */
export const askTeam = <T>(path: string, body?: object, stop?: AbortSignal): Promise<T> =>
  askWith(key.value ?? '', path, { ...(body !== undefined && { method: 'POST', body }), ...(stop && { stop }) });

/** Changes after a change by this page, and from time to time while the page is visible; then every view loads again. */
export const turn = signal(0);
const REFRESH_MS = 20_000;

export const refresh = (): void => void (turn.value += 1);

export function followTeam(): void {
  const refreshIfVisible = (): void => void (document.visibilityState === 'visible' && key.value !== undefined && refresh());
  setInterval(refreshIfVisible, REFRESH_MS);
  document.addEventListener('visibilitychange', refreshIfVisible);
}

export interface TeamReading<T> {
  readonly data?: T;
  readonly error?: Refusal;
  /** The path that `data` belongs to. */
  readonly path?: string;
}

/** The answer to a request, sent again when the request or the memory changes. The last answer stays until the next arrives. */
export function useTeam<T>(path: string | undefined): TeamReading<T> {
  const [reading, setReading] = useState<TeamReading<T>>({});
  const now = turn.value;
  useLayoutEffect(() => {
    if (path === undefined) return;
    const stop = new AbortController();
    askTeam<T>(path, undefined, stop.signal).then(
      (data) => !stop.signal.aborted && setReading({ data, path }),
      (error: unknown) => !stop.signal.aborted && error instanceof Refusal && setReading({ error, path }),
    );
    return () => stop.abort();
  }, [path, now]);
  return reading;
}

/** A path of a project with a query, without undefined and empty parameters. */
export function projectPath(project: string, rest: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return `projects/${encodeURIComponent(project)}/${rest}${parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`}`;
}
