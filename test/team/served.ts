import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openPostgres, type Postgres } from '../../src/adapters/postgres/connect.ts';
import { teamStoreOn } from '../../src/adapters/postgres/team/team-store.ts';
import { sha256 } from '../../src/adapters/process/environment.ts';
import { timers } from '../../src/adapters/process/running.ts';
import { pageFiles } from '../../src/adapters/process/view-page.ts';
import { issueToken, putMember, type TeamMeans } from '../../src/app/team/access.ts';
import { TeamEmbedding } from '../../src/app/team/meaning.ts';
import type { Embedder } from '../../src/core/ports/embedding.ts';
import type { TeamRole, TeamStore, TokenScope } from '../../src/core/ports/team/store.ts';
import type { SignIn } from '../../src/core/ports/team/api.ts';
import { teamMcp } from '../../src/edges/mcp/team-offer.ts';
import { rateLimit } from '../../src/edges/team/limits.ts';
import { Metrics } from '../../src/edges/team/metrics.ts';
import type { RequestLogEntry } from '../../src/edges/team/routes.ts';
import { serveTeam, type RunningTeamServer } from '../../src/edges/team/serve.ts';
import { must } from '../app/memory.ts';
import { freshDatabase } from '../postgres/cluster.ts';

export interface ServedTeam {
  readonly url: string;
  readonly databaseUrl: string;
  readonly adminUrl: string;
  readonly store: TeamStore;
  readonly clock: { ms: number };
  readonly log: RequestLogEntry[];
  /** Why texts stayed without vectors. */
  readonly problems: readonly string[];
  readonly server: RunningTeamServer;
  /** An organisation with a project `web`. */
  organisation(name: string): Promise<number>;
  /** A member with a token that opens what their role allows. */
  member(org: number, name: string, role: TeamRole, scopes?: readonly TokenScope[]): Promise<string>;
  ask(token: string, method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly json: Record<string, unknown> }>;
}

const SCOPES: Readonly<Record<TeamRole, readonly TokenScope[]>> = {
  reader: ['read'],
  writer: ['read', 'write'],
  reviewer: ['read', 'write', 'review'],
  admin: ['read', 'write', 'review', 'admin'],
};

/** How a test changes the way to the database. */
export interface DatabaseChange {
  readonly connections: number;
  readonly around: (postgres: Postgres) => Postgres;
  readonly embedder?: Embedder;
}

interface ServeOptions {
  readonly limits?: { readonly requests: number; readonly wrongTokens: number };
  readonly signIn?: SignIn;
  readonly isSecure?: boolean;
  readonly database?: DatabaseChange;
  /** When the server ends: with the test, unless a file has one for all its tests. */
  readonly atEnd?: (end: () => Promise<void>) => void;
}

const NO_LIMITS = { requests: 100_000, wrongTokens: 100_000 };
const AS_IT_IS: DatabaseChange = { connections: 8, around: (postgres) => postgres };

/** The real server on the real PostgreSQL, over real HTTP. */
export async function serveForTest({
  limits = NO_LIMITS,
  signIn,
  isSecure = false,
  database: { connections, around, embedder } = AS_IT_IS,
  atEnd = onTestFinished,
}: ServeOptions = {}): Promise<ServedTeam> {
  const { url: databaseUrl, adminUrl } = await freshDatabase(atEnd);
  const store = teamStoreOn(around(await openPostgres(databaseUrl, { connections })));
  const clock = { ms: Date.now() };
  const means: TeamMeans = {
    ...{ now: () => clock.ms, random: (bytes: number) => randomBytes(bytes).toString('hex'), sha256 },
    // A busy machine has a minute for a question's vector, where the server gives it a second.
    ...(embedder && { meaning: { embedder, timers: { after: (ms: number, work: () => void) => timers.after(ms * 60, work) } } }),
  };
  const problems: string[] = [];
  const soon = { after: (_ms: number, work: () => void) => timers.after(0, work) };
  const log: RequestLogEntry[] = [];
  const limit = (burst: number) => rateLimit(means.now, { perSecond: 1, burst });
  const { requests, wrongTokens } = limits;
  const parts = {
    ...(signIn && { signIn, isSecure }),
    ...(embedder && { embedding: new TeamEmbedding({ store, embedder, timers: soon, report: (problem) => void problems.push(problem) }) }),
    version: 'test',
    mcp: teamMcp('test', means),
    page: pageFiles(resolve(import.meta.dirname, '../../dist'), 'team'),
    store,
    means,
    limits: { requests: limit(requests), wrongTokens: limit(wrongTokens) },
    metrics: new Metrics(),
    log: (entry: RequestLogEntry) => void log.push(entry),
  };
  const server = must(await serveTeam(parts, { host: '127.0.0.1', port: 0 }));
  atEnd(() => server.stop());
  const url = `http://127.0.0.1:${server.port}/`;
  return {
    url,
    databaseUrl,
    adminUrl,
    store,
    clock,
    log,
    problems,
    server,
    organisation: async (name) => {
      const org = await store.addOrganisation(name);
      await store.inOrganisation(org, (transaction) => transaction.addProject('web'));
      return org;
    },
    member: (org, name, role, scopes = SCOPES[role]) =>
      store.inOrganisation(org, async (transaction) => {
        must(await putMember(transaction, 'test', { member: name, name, role }));
        return must(await issueToken(transaction, org, means, { member: name, scopes, label: 'test', days: 30 })).text;
      }),
    ask: async (token, method, path, body) => {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } };
    },
  };
}

/** One server for all tests of a file. */
export function teamForFile(isThere: boolean): () => ServedTeam {
  let team: ServedTeam | undefined;
  const endings: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    if (isThere) team = await serveForTest({ atEnd: (end) => void endings.unshift(end) });
  });
  afterAll(() => endings.reduce((before, end) => before.then(end), Promise.resolve()));
  return () => {
    if (!team) throw new Error('the server does not run');
    return team;
  };
}
