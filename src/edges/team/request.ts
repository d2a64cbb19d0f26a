import { gunzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { type TokenParts, tokenParts } from '../../app/team/access.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { Refusal } from '../../core/result.ts';
import { REQUEST_BYTES, type TeamLimits } from './limits.ts';

/** An answer, with the caller for the log. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly org?: number;
  readonly member?: string;
  readonly fault?: string;
}

export const problem = (status: number, error: string, message: string, hint?: string): HttpAnswer => ({
  status,
  body: { error, message, ...(hint !== undefined && { hint }) },
});

const NO_TOKEN: HttpAnswer = {
  ...problem(401, 'NO_TOKEN', 'The token is missing or not valid.', 'an admin makes one: holdfast team token'),
  headers: { 'www-authenticate': 'Bearer' },
};

const statusOf = ({ code, missing }: Refusal): number =>
  missing || code === 'NOT_FOUND' ? 404 : code === 'OCC_CONFLICT' ? 409 : code === 'SECURITY_ERROR' ? 403 : 400;

/** The unpacked text of a request; undefined if it is too large or damaged. */
export async function bodyText(c: Context): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > REQUEST_BYTES.drained) return undefined;
    if (size <= REQUEST_BYTES.sent) chunks.push(chunk);
  }
  if (size > REQUEST_BYTES.sent) return undefined;
  const bytes = Buffer.concat(chunks);
  try {
    return (c.req.header('content-encoding') === 'gzip' ? gunzipSync(bytes, { maxOutputLength: REQUEST_BYTES.unpacked }) : bytes).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The other end of the connection. Headers are ignored, because a client could claim another address each time. */
export const peerAddress = (c: Context): string =>
  (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ?? '';

/** The key under which the requests of a token are counted. */
export const callerKey = ({ org, id }: TokenParts): string => `${org}_${id}`;

/** The well-formed token of a request within its rate. Its organisation decides whether it is valid; `wrongToken` answers if not. */
export function requestToken(
  limits: TeamLimits,
  c: Context,
): { readonly parts: TokenParts; readonly wrongToken: () => HttpAnswer } | { readonly answer: HttpAnswer } {
  const address = peerAddress(c);
  const parts = tokenParts(/^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
  const wrongToken = (): HttpAnswer => {
    const seconds = limits.wrongTokens.take(address);
    return seconds === undefined ? NO_TOKEN : { ...problem(429, 'RATE_LIMIT', 'Too many wrong tokens.'), headers: { 'retry-after': String(seconds) } };
  };
  if (!parts) return { answer: wrongToken() };
  const wait = limits.requests.take(callerKey(parts));
  if (wait !== undefined) return { answer: { ...problem(429, 'RATE_LIMIT', 'Too many requests.'), headers: { 'retry-after': String(wait) } } };
  return { parts, wrongToken };
}

/** The answer for an exception. */
export function failureAnswer(cause: unknown): HttpAnswer {
  if (isRefused(cause)) return problem(statusOf(cause.refusal), cause.refusal.code, cause.refusal.message, cause.refusal.hint);
  const fault = isFailure(cause) ? cause.code : `${(cause as Error).name} ${(cause as { code?: string }).code ?? ''}`.trim();
  return { ...problem(503, 'UNAVAILABLE', 'The server cannot do this now.', 'try again later'), fault };
}
