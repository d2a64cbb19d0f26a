import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject, onTestFinished, vi } from 'vitest';
import { findServerBinaries } from '../../src/adapters/postgres/cluster/binaries.ts';
import { startCluster } from '../../src/adapters/postgres/cluster/cluster.ts';
import { openPostgres, type Postgres } from '../../src/adapters/postgres/connect.ts';
import { APP_ROLE, migrateDatabase } from '../../src/adapters/postgres/migrate.ts';
import { createOrganisation, createProject } from '../../src/adapters/postgres/organisations.ts';
import { whyClosedToOthers } from '../other-users.ts';
import { PATIENCE } from '../patience.ts';

export interface FreshDatabase {
  readonly name: string;
  /** Signs in as who owns the tables, no superuser. */
  readonly ownerUrl: string;
  /** Signs in as the role that owns nothing. */
  readonly url: string;
  /** Signs in as the superuser. */
  readonly adminUrl: string;
}

interface Running {
  readonly url: string;
  readonly port: number;
  readonly password: string;
}

const TEMPLATE = 'holdfast_template';
const OWNER = 'holdfast_owner';

/** The folder with PostgreSQL's programs; another version's by HOLDFAST_POSTGRES_BIN. */
export const serverBinaries = (): string | undefined =>
  process.env['HOLDFAST_POSTGRES_BIN'] ?? findServerBinaries([path.resolve(import.meta.dirname, '../../node_modules')]);

/** Why no server can be started here. PostgreSQL refuses to run as root: then it runs as another user, who has to reach its folder. */
function whyNoServer(): string | undefined {
  if (serverBinaries() === undefined) return 'there is no PostgreSQL, neither from npm nor of the system';
  return process.getuid?.() === 0 ? whyClosedToOthers(path.join(os.tmpdir(), 'data')) : undefined;
}

/** False, with one line that says so, where no server can be started. */
export const hasPostgres = ((): boolean => {
  const reason = whyNoServer();
  if (reason !== undefined) console.warn(`skipped: PostgreSQL does not run: ${reason}`);
  return reason === undefined;
})();

/** A connection without row-level security. */
export async function connectRaw(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast,public' });
  await client.connect();
  return client;
}

let running: Promise<Running> | undefined;

/** The first test that asks starts the one server of this run; the others wait for it. `global-setup.ts` stops it. */
async function serverOfThisRun(): Promise<Running> {
  const folder = inject('postgresFolder');
  const ready = `${folder}.ready`;
  try {
    fs.mkdirSync(`${folder}.lock`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    await vi.waitUntil(() => fs.existsSync(ready), PATIENCE);
    return JSON.parse(fs.readFileSync(ready, 'utf8')) as Running;
  }
  // Tests end the server's process, never the machine: what the system has taken is safe.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '64MB', autovacuum: 'off' };
  const { url, port } = await startCluster({ binaries: serverBinaries() ?? '', folder, settings });
  const started: Running = { url, port, password: randomBytes(12).toString('hex') };
  await prepareTemplate(started);
  fs.writeFileSync(`${ready}.tmp`, JSON.stringify(started), { mode: 0o600 });
  fs.renameSync(`${ready}.tmp`, ready);
  return started;
}

const urlFor = ({ port, password }: Running, role: string, database: string): string => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

async function prepareTemplate(server: Running): Promise<void> {
  const admin = await connectRaw(server.url);
  await admin.query(`create role ${OWNER} login createrole password '${server.password}'`);
  await admin.query(`create database ${TEMPLATE} owner ${OWNER}`);
  await migrateDatabase(urlFor(server, OWNER, TEMPLATE));
  await admin.query(`alter role ${APP_ROLE} login password '${server.password}'`);
  await admin.end();
}

async function makeDatabase(): Promise<FreshDatabase> {
  const server = await (running ??= serverOfThisRun());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = await connectRaw(server.url);
  await admin.query(`create database ${name} template ${TEMPLATE} owner ${OWNER} strategy file_copy`);
  await admin.end();
  const adminUrl = server.url.replace(/postgres$/, name);
  return { name, adminUrl, ownerUrl: urlFor(server, OWNER, name), url: urlFor(server, APP_ROLE, name) };
}

/** A database with all tables and no rows, gone when the test is over. */
export async function freshDatabase(atEnd: (end: () => Promise<void>) => void = onTestFinished): Promise<FreshDatabase> {
  const made = await makeDatabase();
  atEnd(async () => {
    const admin = await connectRaw(made.adminUrl.replace(/[^/]+$/, 'postgres'));
    await admin.query(`drop database if exists ${made.name} with (force)`);
    await admin.end();
  });
  return made;
}

async function openShared(): Promise<FreshDatabase & { readonly postgres: Postgres }> {
  const made = await makeDatabase();
  return { ...made, postgres: await openPostgres(made.url, { connections: 8 }) };
}

let shared: ReturnType<typeof openShared> | undefined;

/** A new organisation with one project, in a database that the tests of this process share. */
export async function freshProject(): Promise<FreshDatabase & { readonly postgres: Postgres; readonly org: number; readonly project: number }> {
  const database = await (shared ??= openShared());
  const org = await createOrganisation(database.postgres, `org-${randomBytes(6).toString('hex')}`);
  return { ...database, org, project: await createProject(database.postgres, org, 'web') };
}
