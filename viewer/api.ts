import type { ActResult, Acts, Reads, RefusedAnswer } from '../src/edges/http/contract.ts';
import { key } from './key.ts';
import { Refusal } from './refusal.ts';

const GONE: RefusedAnswer = { error: 'GONE', message: 'The server has ended.', hint: 'run holdfast view in a terminal to start it again' };

async function send(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { ...init, headers: { authorization: `Bearer ${key.value ?? ''}`, ...init.headers }, cache: 'no-store' }).catch(
    () => undefined,
  );
  if (response === undefined) throw new Refusal(GONE);
  const body: unknown = await response.json();
  if (response.status === 401) key.value = undefined;
  if (!response.ok) throw new Refusal(body as RefusedAnswer);
  return body;
}

export type Asks<K extends keyof Reads> = Reads[K]['asks'];

export const pathOf = <K extends keyof Reads>(name: K, asks: Asks<K>): string => {
  const parameters = Object.entries(asks as Record<string, string | undefined>).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/api/${name}?${new URLSearchParams(parameters).toString()}`;
};

export const ask = async <K extends keyof Reads>(name: K, asks: Asks<K>, signal?: AbortSignal): Promise<Reads[K]['gets']> =>
  (await send(pathOf(name, asks), signal ? { signal } : {})) as Reads[K]['gets'];

export const act = async <K extends keyof Acts>(name: K, body: Acts[K]): Promise<ActResult> =>
  (await send(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-holdfast-write': '1' },
    body: JSON.stringify(body),
  })) as ActResult;
