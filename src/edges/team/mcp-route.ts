import type { Context } from 'hono';
import { callerOf, mayDo, type TeamCaller, type TeamMeans, type TokenParts } from '../../app/team/access.ts';
import type { TeamSearchTransaction } from '../../app/team/search.ts';
import { Refused } from '../../core/failure.ts';
import type { TeamStore } from '../../core/ports/team/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { TeamLimits } from './limits.ts';
import { type HttpAnswer, bodyText, callerKey, problem, requestToken } from './request.ts';

type InOrganisation = <T>(work: (transaction: TeamSearchTransaction, caller: TeamCaller) => Promise<Result<T>>) => Promise<Result<T>>;

/** Answers one message of the Model Context Protocol. */
export type AnswerMcp = (message: {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  readonly owner: string;
  readonly project: string | undefined;
  readonly run: InOrganisation;
}) => Promise<{ readonly status: number; readonly messages?: readonly object[]; readonly headers?: Readonly<Record<string, string>> }>;

export interface McpRouteHost {
  readonly mcp: AnswerMcp;
  readonly store: TeamStore<TeamSearchTransaction>;
  readonly means: TeamMeans;
  readonly limits: TeamLimits;
  readonly publicHost?: string;
}

interface TextAnswer extends Omit<HttpAnswer, 'body' | 'headers'> {
  readonly text: string;
  readonly headers: Record<string, string>;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;
const PROJECT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether a request comes from another site's page: its origin or its host is not this server's. */
export function isFromElsewhere({ publicHost }: Pick<McpRouteHost, 'publicHost'>, c: Context): boolean {
  const host = c.req.header('host') ?? '';
  if (publicHost !== undefined && host !== publicHost && !LOOPBACK.test(host)) return true;
  const origin = c.req.header('origin');
  if (origin === undefined) return false;
  const from = URL.canParse(origin) ? new URL(origin).host : '';
  return from === '' || (from !== host && from !== publicHost);
}

/** Runs each tool call in a transaction of its own, which checks the token again. A message may hold many calls, so each counts as a request. */
const inOrganisation =
  ({ store, means, limits }: McpRouteHost, parts: TokenParts, isCounted: boolean): InOrganisation =>
  async (work) => {
    const wait = isCounted ? limits.requests.take(callerKey(parts)) : undefined;
    if (wait !== undefined) return refuse('BUDGET_EXHAUSTED', 'Too many requests.', { hint: `ask again in ${wait} seconds` });
    try {
      return await store.inOrganisation(parts.org, async (transaction) => {
        const caller = await callerOf(transaction, means, parts);
        const result = caller && mayDo(caller, 'read') ? await work(transaction, caller) : refuse('SECURITY_ERROR', 'The token is no longer valid.');
        // Thrown, so that the transaction is rolled back.
        if (!result.ok) throw new Refused(result.error);
        return result;
      });
    } catch (cause) {
      if (cause instanceof Refused) return { ok: false, error: cause.refusal };
      throw cause;
    }
  };

const events = (messages: readonly object[]): string => messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join('');

/** `/mcp`, and `/mcp/PROJECT` for agents that work on one project. */
export async function mcpRoute(host: McpRouteHost, c: Context): Promise<HttpAnswer | TextAnswer> {
  if (isFromElsewhere(host, c)) return problem(403, 'FORBIDDEN', 'Pages of other sites may not use this server.');
  const token = requestToken(host.limits, c);
  if ('answer' in token) return token.answer;
  const { parts, wrongToken } = token;
  const project = c.req.param('project');
  if (project !== undefined && !PROJECT.test(project)) return problem(404, 'NOT_FOUND', 'There is no such project.');
  const identity = await inOrganisation(host, parts, false)(async (_transaction, { org, member }) => ok({ org, member: member.member }));
  if (!identity.ok) return wrongToken();
  const text = await bodyText(c);
  if (text === undefined) return { ...problem(413, 'TOO_LARGE', 'The message is too large, or damaged.'), ...identity.value };
  const message = {
    method: c.req.method,
    header: (name: string) => c.req.header(name),
    text,
    owner: callerKey(parts),
    project,
    run: inOrganisation(host, parts, true),
  };
  const { status, messages = [], headers = {} } = await host.mcp(message);
  const [first] = messages;
  const isStream = messages.length > 1;
  const type = isStream ? 'text/event-stream' : 'application/json';
  return {
    ...{ status, ...identity.value, text: isStream ? events(messages) : first === undefined ? '' : JSON.stringify(first) },
    headers: { 'cache-control': 'no-store', ...(first !== undefined && { 'content-type': type }), ...headers },
  };
}
