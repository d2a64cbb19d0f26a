import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { secureHeaders } from 'hono/secure-headers';
import type * as z from 'zod/mini';
import { Refused } from '../../core/failure.ts';
import type { SignIn } from '../../core/ports/team/api.ts';
import type { TeamStore } from '../../core/ports/team/store.ts';
import { callerOf, mayDo, type TeamCaller, type TeamMeans } from '../../app/team/access.ts';
import type { TeamEmbedding } from '../../app/team/meaning.ts';
import type { TeamSearchTransaction } from '../../app/team/search.ts';
import type { TeamLimits } from './limits.ts';
import { type AnswerMcp, isFromElsewhere, mcpRoute } from './mcp-route.ts';
import type { Metrics } from './metrics.ts';
import { type HttpAnswer, bodyText, failureAnswer, problem, requestToken } from './request.ts';
import { addTeamPage, type TeamPageFiles } from './page.ts';
import { signInRoutes } from './sign-in.ts';
import { openApiDocument } from './openapi.ts';
import type { ApiOperation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** One line of the log: the caller, the route and the outcome, without any content. */
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
  readonly store: TeamStore<TeamSearchTransaction>;
  readonly means: TeamMeans;
  readonly limits: TeamLimits;
  readonly metrics: Metrics;
  readonly log: (entry: RequestLogEntry) => void;
  /** Signing in with an OpenID Connect issuer, if one is set up. */
  readonly signIn?: SignIn;
  readonly isSecure?: boolean;
  readonly mcp?: AnswerMcp;
  /** The host by which members reach the server, if known. */
  readonly publicHost?: string;
  readonly page?: TeamPageFiles;
  /** Embeds texts, if an embedder is set up. */
  readonly embedding?: Pick<TeamEmbedding, 'note' | 'stop'>;
  /** False while the server is stopping. */
  readonly isOpen: () => boolean;
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type CheckedInput = { readonly value: unknown } | { readonly answer: HttpAnswer };

function checked(type: z.ZodMiniType, value: unknown, what: string): CheckedInput {
  const result = type.safeParse(value);
  if (result.success) return { value: result.data };
  const where = result.error.issues[0]?.path.join('.') ?? '';
  return { answer: problem(400, 'INPUT_ERROR', `The ${what} is not valid${where === '' ? '' : `: ${where}`}.`, 'see /openapi.json') };
}

async function answerTo({ store, means, limits }: TeamHost, operation: ApiOperation, c: Context): Promise<HttpAnswer> {
  const token = requestToken(limits, c);
  if ('answer' in token) return token.answer;
  const { parts, wrongToken } = token;
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
    // Checked before the body is read, so that only callers with the scope can send megabytes.
    const refused = await store.inOrganisation(parts.org, async (transaction) => refusalOf(await callerOf(transaction, means, parts), operation, wrongToken));
    if (refused) return refused;
    const text = await bodyText(c);
    if (text === undefined) return problem(413, 'TOO_LARGE', 'The request is too large, or damaged.');
    const read = checked(operation.body, parsedJson(text), 'body');
    if ('answer' in read) return read.answer;
    body = read.value;
  }
  let identity: Pick<HttpAnswer, 'org' | 'member'> = {};
  const answered = store.inOrganisation(parts.org, async (transaction): Promise<HttpAnswer> => {
    const caller = await callerOf(transaction, means, parts);
    const refused = refusalOf(caller, operation, wrongToken);
    if (!caller || refused) return refused ?? wrongToken();
    identity = identityOf(caller);
    const result = await operation.run({ transaction, caller, means, params, query: query.value as Record<string, string | undefined>, body });
    // Thrown, so that the transaction is rolled back.
    if (!result.ok) throw new Refused(result.error);
    return { status: 200, body: result.value, ...identity };
  });
  return answered.catch((cause: unknown) => ({ ...failureAnswer(cause), ...identity }));
}

const identityOf = ({ org, member }: TeamCaller): Pick<HttpAnswer, 'org' | 'member'> => ({ org, member: member.member });

function refusalOf(caller: TeamCaller | undefined, { scope }: ApiOperation, wrongToken: () => HttpAnswer): HttpAnswer | undefined {
  if (!caller) return wrongToken();
  if (mayDo(caller, scope)) return undefined;
  const hint = 'holdfast team me shows the scopes of your token; an admin can make another';
  return { ...problem(403, 'FORBIDDEN', `This needs the scope ${scope}, which your token or role does not have.`, hint), ...identityOf(caller) };
}

/** Answers a request and records it in metrics and log. */
async function withMetrics<T extends Omit<HttpAnswer, 'body'>>(
  host: TeamHost,
  method: string,
  route: string,
  answer: () => Promise<T>,
): Promise<T | HttpAnswer> {
  const start = performance.now();
  host.metrics.inFlight += 1;
  const response = await answer().catch(failureAnswer);
  host.metrics.inFlight -= 1;
  const ms = performance.now() - start;
  const { status, org, member, fault } = response;
  host.metrics.note(method, route, status, ms / 1000);
  if (org !== undefined && status < 400) host.embedding?.note(org, method !== 'get');
  host.log({
    ...{ method, route, status, ms: Math.round(ms) },
    ...(org !== undefined && { org }),
    ...(member !== undefined && { member }),
    ...(fault !== undefined && { fault }),
  });
  return response;
}

/** The page, the API, health, metrics and the OpenAPI document. */
export function teamRoutes(host: TeamHost): Hono {
  const app = new Hono();
  const { metrics, store } = host;
  app.use(compress());
  // Before the API's headers, because the page has a policy of its own.
  if (host.page)
    addTeamPage(app, {
      files: host.page,
      nonce: () => host.means.random(16),
      hasSignIn: host.signIn !== undefined,
      isFromElsewhere: (c) => isFromElsewhere(host, c),
    });
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } }));
  app.use('/v1/*', async (c, next) =>
    isFromElsewhere(host, c) ? c.json({ error: 'FORBIDDEN', message: 'Pages of other sites may not use this server.' }, 403) : next(),
  );
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
      const { status, body, headers } = await withMetrics(host, operation.method, operation.path, () => answerTo(host, operation, c));
      return c.json(body, status as 200, { 'cache-control': 'no-store', ...headers });
    });
  }
  const { mcp } = host;
  if (mcp)
    app.all('/mcp/:project?', async (c) => {
      const answer = await withMetrics(host, c.req.method.toLowerCase(), '/mcp', () => mcpRoute({ ...host, mcp }, c));
      if (!('text' in answer)) return c.json(answer.body, answer.status as 200, answer.headers);
      return answer.text === '' ? c.body(null, answer.status as 204, answer.headers) : c.body(answer.text, answer.status as 200, answer.headers);
    });
  const { signIn, means, limits } = host;
  if (signIn) app.route('/sign-in', signInRoutes({ signIn, store, means, limit: limits.wrongTokens, isSecure: host.isSecure === true }));
  app.notFound((c) => c.json({ error: 'NOT_FOUND', message: 'There is nothing here.' }, 404));
  return app;
}
