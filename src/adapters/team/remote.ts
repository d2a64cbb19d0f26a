import { gzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangePage, OfferAnswer, Remote } from '../../core/ports/team/sync.ts';
import type { TeamApi, TeamAnswer } from '../../core/ports/team/api.ts';
import { ok, refuse, type RefusalCode, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

export interface TeamEndpoint {
  readonly url: string;
  readonly token: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;
const ANSWER_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const TRIES = 4;
/** If the server asks for a longer pause, the sync fails, and the next one tries again. */
const LONGEST_WAIT_S = 20;

/** The address of a server; refused if a token may not be sent there. */
export function teamAddress(address: string): Result<URL> {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return refuse('INPUT_ERROR', `${JSON.stringify(address)} is not the address of a server.`, { hint: 'such as https://memory.example.com' });
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return refuse('SECURITY_ERROR', `Memory is not sent to ${url.host} without encryption.`, { hint: 'use https://; http:// is for this machine only' });
  if (url.username !== '' || url.password !== '')
    return refuse('SECURITY_ERROR', 'The address holds a user name or a password.', { hint: 'pass the token separately' });
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return ok(url);
}

async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const CODES: Readonly<Record<number, RefusalCode>> = {
  400: 'VALIDATION_ERROR',
  401: 'SECURITY_ERROR',
  403: 'SECURITY_ERROR',
  404: 'NOT_FOUND',
  409: 'OCC_CONFLICT',
};

function refusalOf(host: string, status: number, answer: unknown): Result<never> {
  const { message, hint } = (isObject(answer) ? answer : {}) as { message?: unknown; hint?: unknown };
  const reason = typeof message === 'string' ? message.slice(0, 500) : `it answered with status ${status}`;
  return refuse(CODES[status] ?? 'IO_ERROR', `${host}: ${reason}`, { hint: typeof hint === 'string' ? hint.slice(0, 300) : 'run the command again later' });
}

/** The API of one server. Does not follow redirects, because they would carry the token elsewhere. */
export function teamApi({ url, token }: TeamEndpoint): Result<TeamApi> {
  const address = teamAddress(url);
  if (!address.ok) return address;
  const base = address.value;
  const send = async (method: string, path: string, body: unknown): Promise<{ readonly status: number; readonly wait: number; readonly answer: unknown }> => {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: gzipSync(JSON.stringify(body)) }),
    });
    const text = await readText(response);
    let answer: unknown;
    try {
      answer = JSON.parse(text ?? '');
    } catch {
      answer = undefined;
    }
    return { status: response.status, wait: Number(response.headers.get('retry-after') ?? 0), answer };
  };
  return ok({
    host: base.host,
    ask: async (method, path, body) => {
      for (let tries = 1; ; tries += 1) {
        try {
          const { status, wait, answer } = await send(method, path, body);
          if (status === 200 && isObject(answer)) return ok(answer as TeamAnswer);
          const isTransient = status === 429 || status === 503;
          if (!isTransient || tries >= TRIES || wait > LONGEST_WAIT_S) return refusalOf(base.host, status, answer);
          await pause(wait > 0 ? wait * 1000 : tries * 250);
        } catch (cause) {
          const { code } = ((cause as Error).cause ?? {}) as { code?: string };
          if (tries < 2 && code === 'ECONNRESET') continue;
          return refuse('IO_ERROR', `${base.host} does not answer${code === undefined ? '' : ` (${code})`}.`, {
            hint: 'your files are unchanged; run the command again when it does',
          });
        }
      }
    },
  });
}

/** One project on a server, as sync sees it. */
export function remoteProject(api: TeamApi, project: string, proposes = false): Remote {
  const path = (space: string, rest: string): string => `v1/projects/${encodeURIComponent(project)}/${space}/${rest}`;
  const unexpectedAnswer = (): Result<never> => refuse('IO_ERROR', `${api.host} did not answer like a Holdfast server.`, { hint: 'check the address' });
  return {
    changes: async (space, cursor, tip) => {
      const query = new URLSearchParams({ ...(cursor !== undefined && { cursor }), ...(tip !== undefined && { tip }) });
      const page = await api.ask('GET', path(space, `changes?${query.toString()}`));
      return page.ok && !Array.isArray(page.value['changes']) ? unexpectedAnswer() : (page as Result<unknown> as Result<ChangePage>);
    },
    offer: async (space, versions) => {
      const answer = await api.ask('POST', path(space, 'versions'), { versions, ...(proposes && { propose: true }) });
      return answer.ok && !Array.isArray(answer.value['outcomes']) ? unexpectedAnswer() : (answer as Result<unknown> as Result<OfferAnswer>);
    },
    body: async (space, id, hash) => {
      const answer = await api.ask('GET', path(space, `versions/${id}/${hash}`));
      if (!answer.ok) return answer;
      const { body } = answer.value;
      return ok(typeof body === 'string' ? body : undefined);
    },
  };
}
