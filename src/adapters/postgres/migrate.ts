import pg from 'pg';
import { Failure } from '../../core/failure.ts';
import { MIGRATIONS, type Migration } from './migrations/list.ts';

/** An arbitrary number that no other program is likely to lock. */
const LOCK = '7463209114';

/** The role that the server works as: it owns nothing. */
export const APP_ROLE = 'holdfast_app';

/** Roles belong to the whole cluster: a migration of another database may have just created the role. */
const ALREADY_EXISTS = ['42710', '23505'];
const INSUFFICIENT_PRIVILEGE = '42501';

/** The part of a connection that a step needs. */
export interface MigrationClient {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

const codeOf = (cause: unknown): string => (cause as { code?: string }).code ?? '';

/** Brings a database to this version's tables, as their owner, in one transaction. Each migration runs once. Returns the names of those that ran. */
export async function migrateDatabase(ownerUrl: string, migrations: readonly Migration[] = MIGRATIONS): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'holdfast migrate' });
  await client.connect();
  try {
    await makeRole(client);
    await client.query(`begin; select pg_advisory_xact_lock(${LOCK})`);
    const ran = await runMissing(client, migrations);
    await client.query('commit');
    return ran;
  } finally {
    // Closing the connection rolls back an open transaction.
    await client.end();
  }
}

async function makeRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE]);
  try {
    if (rowCount === 0) await client.query(`create role ${APP_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole`);
  } catch (cause) {
    if (!ALREADY_EXISTS.includes(codeOf(cause))) {
      throw new Failure('IO_ERROR', `the role ${APP_ROLE} could not be created: ${(cause as Error).message}`, {
        cause,
        hint: `ask an administrator to run: create role ${APP_ROLE}`,
      });
    }
  }
  try {
    // So that one URL is enough to migrate and to serve.
    await client.query(`grant ${APP_ROLE} to current_user`);
  } catch (cause) {
    if (codeOf(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
  }
}

/** Runs the steps that a database lacks, in the caller's transaction. */
export async function runMissing(client: MigrationClient, migrations: readonly Migration[]): Promise<readonly string[]> {
  await client.query(`create schema if not exists holdfast;
    create table if not exists holdfast.migrations (name text primary key, at timestamptz not null default now());
    grant usage on schema holdfast to ${APP_ROLE};
    grant select on holdfast.migrations to ${APP_ROLE};
    set local search_path = holdfast, public`);
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  const unknown = [...done].filter((name) => !migrations.some((known) => known.name === name));
  if (unknown.length > 0) {
    throw new Failure('IO_ERROR', `the database was migrated by a newer version: ${unknown.join(', ')}`, { hint: 'update Holdfast; nothing was changed' });
  }
  const ran: string[] = [];
  for (const { name, sql, needs } of migrations) {
    if (done.has(name) || (needs !== undefined && !(await hasExtension(client, needs)))) continue;
    await client.query(sql);
    await client.query('insert into migrations (name) values ($1)', [name]);
    ran.push(name);
  }
  return ran;
}

/** Creates the extension in Holdfast's schema if the database allows it; Holdfast's statements cannot reach one in another schema. */
async function hasExtension(client: MigrationClient, extension: string): Promise<boolean> {
  const { rows } = await client.query<{ place: string | null }>(
    'select (select extnamespace::regnamespace::text from pg_extension where extname = name) as place from pg_available_extensions where name = $1',
    [extension],
  );
  const [available] = rows;
  if (available === undefined || available.place !== null) return available?.place === 'holdfast';
  await client.query('savepoint extension');
  try {
    await client.query(`create extension ${extension} with schema holdfast`);
    return true;
  } catch (cause) {
    if (codeOf(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
    await client.query('rollback to savepoint extension');
    return false;
  }
}
