import { randomBytes } from 'node:crypto';
import { writeTrialToken } from '../../adapters/files/team-files.ts';
import { keepsTrialData, startTrial, type TrialPlace } from '../../adapters/postgres/cluster/trial.ts';
import { openPostgres, type Postgres } from '../../adapters/postgres/connect.ts';
import { APP_ROLE, migrateDatabase } from '../../adapters/postgres/migrate.ts';
import { teamStoreOn } from '../../adapters/postgres/team/team-store.ts';
import { oidcSignIn } from '../../adapters/team/oidc.ts';
import { sha256 } from '../../adapters/process/environment.ts';
import { isTerminalOutput, writeText } from '../../adapters/process/output.ts';
import { timers } from '../../adapters/process/running.ts';
import { pageFiles } from '../../adapters/process/view-page.ts';
import type { TeamMeans } from '../../app/team/access.ts';
import { TeamEmbedding } from '../../app/team/meaning.ts';
import { addOrganisation } from '../../app/team/organisation.ts';
import { isFailure } from '../../core/failure.ts';
import type { Embedder } from '../../core/ports/embedding.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { CommandOutput, TeamServerRequest } from '../../edges/cli/command.ts';
import { teamMcp } from '../../edges/mcp/team-offer.ts';
import { greeting } from '../../edges/team/greeting.ts';
import { teamLimits } from '../../edges/team/limits.ts';
import { Metrics } from '../../edges/team/metrics.ts';
import { serveTeam } from '../../edges/team/serve.ts';

export interface TeamServerHost extends TrialPlace {
  readonly version: string;
  readonly database: string | undefined;
  readonly oidcSecret?: string | undefined;
  /** The configured embedder, if any. */
  readonly embedder: Result<Embedder | undefined>;
}

const MEANS: TeamMeans = { now: Date.now, random: (bytes) => randomBytes(bytes).toString('hex'), sha256 };
const line = (value: object): void => writeText(1, `${JSON.stringify(value)}\n`);

/** Later signals are ignored, because the trial PostgreSQL has to stop first. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });

/** Passes the database's error on as text: the program that loads this bundle does not know its exception classes. */
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

/** Updates the tables, adds an organisation if requested, then serves HTTP until a signal. */
async function runServer(host: TeamServerHost, request: TeamServerRequest): Promise<Result<CommandOutput>> {
  const cluster = request.isTrial ? await startTrial(host) : ok(undefined);
  if (!cluster.ok) return cluster;
  try {
    const url = cluster.value?.url ?? request.database ?? host.database;
    if (url === undefined)
      return refuse('USAGE_ERROR', 'server needs a database.', { hint: 'give --database postgres://…, set HOLDFAST_DATABASE, or try it out with --try' });
    // The driver would take any other text for a host name.
    if (!/^(?:postgres(?:ql)?:|socket:|\/)/.test(url))
      return refuse('USAGE_ERROR', 'The database address is not a PostgreSQL address.', { hint: 'use postgres://USER@HOST/DATABASE' });
    const migrated = await migrateDatabase(url);
    if (request.onlyMigrates)
      return ok({ json: { ok: true, migrated }, lines: [migrated.length === 0 ? 'the tables are up to date' : `done: ${migrated.join('; ')}`] });
    return await serveOrAdd(host, request, await openPostgres(url, { role: APP_ROLE }));
  } finally {
    await cluster.value?.stop();
  }
}

async function serveOrAdd(host: TeamServerHost, request: TeamServerRequest, postgres: Postgres): Promise<Result<CommandOutput>> {
  const store = teamStoreOn(postgres);
  const organisation = request.organisation ?? (request.isTrial ? { name: 'try', admin: 'admin' } : undefined);
  const added = organisation ? await addOrganisation(store, MEANS, { ...organisation, isTrial: request.isTrial }) : undefined;
  if (added && !added.ok) {
    await store.close();
    return added;
  }
  if (request.organisation && added) {
    await store.close();
    return ok({ json: { ok: true, ...added.value }, lines: [added.value.token, 'The admin’s token. It is shown only now.'] });
  }
  const embedder = host.embedder.ok ? host.embedder.value : undefined;
  const report = (embedding: string): void => line({ embedding });
  const means: TeamMeans = { ...MEANS, ...(embedder && { meaning: { embedder, timers } }) };
  const { oidc } = request;
  const redirectUri = oidc && new URL('sign-in/callback', oidc.publicUrl.replace(/\/?$/, '/')).href;
  const signIn =
    oidc && redirectUri !== undefined
      ? { signIn: oidcSignIn({ ...oidc, redirectUri, clientSecret: host.oidcSecret }, means.now), isSecure: redirectUri.startsWith('https:') }
      : {};
  const publicHost = oidc ? { publicHost: new URL(oidc.publicUrl).host } : {};
  const running = await serveTeam(
    {
      ...signIn,
      ...publicHost,
      mcp: teamMcp(host.version, means),
      ...(embedder && { embedding: new TeamEmbedding({ store, embedder, timers, report }) }),
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
  if (!running.ok) {
    await store.close();
    return running;
  }
  const url = `http://${request.host}:${running.value.port}`;
  if (!request.json && isTerminalOutput())
    writeText(1, greeting(url, added && { ...added.value, tokenFile: writeTrialToken(host.state, added.value.token), outlivesServer: keepsTrialData() }));
  else line({ ok: true, listening: url, ...(added && { token: added.value.token, project: added.value.project }) });
  if (!host.embedder.ok) report(host.embedder.error.message);
  if (embedder && !postgres.hasVectors) report('The database has no pgvector: search works by words only.');
  await untilSignal();
  await running.value.stop();
  embedder?.close?.();
  return ok({ json: { ok: true, ended: true }, lines: ['stopped'] });
}
