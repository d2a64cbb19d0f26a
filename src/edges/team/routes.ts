import { gunzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { secureHeaders } from 'hono/secure-headers';
import type * as z from 'zod/mini';
import { isFailure, isRefused, Refused } from '../../core/failure.ts';
import type { SignIn } from '../../core/ports/team/api.ts';
import type { TeamStore } from '../../core/ports/team/store.ts';
import type { Refusal } from '../../core/result.ts';
import { callerOf, mayDo, type TeamMeans, tokenParts } from '../../app/team/access.ts';
import { type TeamLimits, QUESTION_BYTES } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { signInRoutes } from './sign-in.ts';
import { openApiDocument } from './openapi.ts';
import { type ApiOperation, OPERATIONS } from './operations.ts';

/** One line of the log: who asked what kind of question and how it went, never what it said. */
export interface RequestLogEntry {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly org?: number;
  readonly member?: string;
  readonly fault?: string;
}

export interface TeamHost {
  readonly version: string;
  readonly store: TeamStore;
  readonly means: TeamMeans;
  readonly limits: TeamLimits;
  readonly metrics: Metrics;
  readonly log: (entry: RequestLogEntry) => void;
  /** Signing in with an OpenID Connect issuer, where one is set up. */
  readonly signIn?: SignIn;
  readonly isSecure?: boolean;
  /** False while the server ends. */
  readonly isOpen: () => boolean;
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly org?: number;
  readonly member?: string;
  readonly fault?: string;
}

const problem = (status: number, error: string, message: string, hint?: string): Answer => ({
  status,
  body: { error, message, ...(hint !== undefined && { hint }) },
});

const NO_TOKEN = problem(401, 'NO_TOKEN', 'The token is missing or not valid.', 'an admin makes one: holdfast server token add');

const statusOf = ({ code, missing }: Refusal): number =>
  missing || code === 'NOT_FOUND' ? 404 : code === 'OCC_CONFLICT' ? 409 : code === 'SECURITY_ERROR' ? 403 : 400;

/** The text of a question, unpacked; undefined where it is too large or damaged. */
async function bodyText(c: Context): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > QUESTION_BYTES.sent) return undefined;
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  try {
    return (c.req.header('content-encoding') === 'gzip' ? gunzipSync(bytes, { maxOutputLength: QUESTION_BYTES.unpacked }) : bytes).toString('utf8');
  } catch {
    return undefined;
  }
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Checked = { readonly value: unknown } | { readonly answer: Answer };

function checked(type: z.ZodMiniType, value: unknown, what: string): Checked {
  const result = type.safeParse(value);
  if (result.success) return { value: result.data };
  const where = result.error.issues[0]?.path.join('.') ?? '';
  return { answer: problem(400, 'INPUT_ERROR', `The ${what} is not as it should be${where === '' ? '' : `: ${where}`}.`, 'see /openapi.json') };
}

async function answerTo({ store, means, limits }: TeamHost, operation: ApiOperation, c: Context): Promise<Answer> {
  // Whoever sends a header could give another address each time.
  const address = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ?? '';
  const parts = tokenParts(/^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
  const wrong = (): Answer => {
    const seconds = limits.wrongTokens.take(address);
    return seconds === undefined ? NO_TOKEN : { ...problem(429, 'RATE_LIMIT', 'Too many wrong tokens.'), headers: { 'retry-after': String(seconds) } };
  };
  if (!parts) return wrong();
  const wait = limits.questions.take(`${parts.org}_${parts.id}`);
  if (wait !== undefined) return { ...problem(429, 'RATE_LIMIT', 'Too many questions.'), headers: { 'retry-after': String(wait) } };
  const params: Record<string, string> = {};
  for (const [name, type] of Object.entries(operation.params ?? {})) {
    const param = checked(type, c.req.param(name), `parameter ${name}`);
    if ('answer' in param) return param.answer;
    params[name] = String(param.value);
  }
  const query = operation.query ? checked(operation.query, c.req.query(), 'query') : { value: {} };
  if ('answer' in query) return query.answer;
  let body: unknown;
  if (operation.body) {
    const text = await bodyText(c);
    if (text === undefined) return problem(413, 'TOO_LARGE', 'The question is too large, or damaged.');
    const read = checked(operation.body, parsedJson(text), 'body');
    if ('answer' in read) return read.answer;
    body = read.value;
  }
  return store.inOrganisation(parts.org, async (transaction) => {
    const caller = await callerOf(transaction, means, parts);
    if (!caller) return wrong();
    const who = { org: caller.org, member: caller.member.member };
    if (!mayDo(caller, operation.scope))
      return { ...problem(403, 'FORBIDDEN', `This takes the right to ${operation.scope}.`, 'ask an admin for another role or token'), ...who };
    const result = await operation.run({ transaction, caller, means, params, query: query.value as Record<string, string | undefined>, body });
    // Thrown, so that nothing of it is done.
    if (!result.ok) throw new Refused(result.error);
    return { status: 200, body: result.value, ...who };
  });
}

function failed(cause: unknown): Answer {
  if (isRefused(cause)) return problem(statusOf(cause.refusal), cause.refusal.code, cause.refusal.message, cause.refusal.hint);
  const fault = isFailure(cause) ? cause.code : `${(cause as Error).name} ${(cause as { code?: string }).code ?? ''}`.trim();
  return { ...problem(503, 'UNAVAILABLE', 'The server could not do this now.', 'try again later'), fault };
}

/** The API, health, metrics and the OpenAPI document. */
export function teamRoutes(host: TeamHost): Hono {
  const app = new Hono();
  const { metrics, store } = host;
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } }));
  app.use(compress());
  app.get('/healthz', (c) => c.json({ ok: true }));
  app.get('/readyz', async (c) => {
    const isReady =
      host.isOpen() &&
      (await store.check().then(
        () => true,
        () => false,
      ));
    return c.json({ ok: isReady }, isReady ? 200 : 503);
  });
  app.get('/metrics', (c) => c.text(metrics.text()));
  app.get('/openapi.json', (c) => c.json(openApiDocument(host.version)));
  for (const operation of OPERATIONS) {
    app.on(operation.method, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const began = performance.now();
      metrics.inFlight += 1;
      const { status, body, headers, org, member, fault } = await answerTo(host, operation, c).catch(failed);
      metrics.inFlight -= 1;
      const ms = performance.now() - began;
      metrics.note(operation.method, operation.path, status, ms / 1000);
      host.log({
        ...{ method: operation.method, route: operation.path, status, ms: Math.round(ms) },
        ...(org !== undefined && { org }),
        ...(member !== undefined && { member }),
        ...(fault !== undefined && { fault }),
      });
      return c.json(body, status as 200, { 'cache-control': 'no-store', ...headers });
    });
  }
  const { signIn, means, limits } = host;
  if (signIn) app.route('/sign-in', signInRoutes({ signIn, store, means, limit: limits.wrongTokens, isSecure: host.isSecure === true }));
  app.notFound((c) => c.json({ error: 'NOT_FOUND', message: 'There is nothing here.' }, 404));
  return app;
}
