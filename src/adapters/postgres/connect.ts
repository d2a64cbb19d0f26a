import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../../core/failure.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { type Sql, sqlOf } from './sql.ts';

export interface Postgres {
  /** Whether it can store vectors of texts. */
  readonly hasVectors: boolean;
  /** Runs `work` in a transaction in which only this organisation's rows exist. It is committed when this returns, and rolled back when `work` throws. */
  asOrganisation<T>(org: number, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The same without an organisation: no row of any organisation is visible. */
  withoutOrganisation<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Lets running work finish, then closes the connections. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Every connection starts as this role: for a URL that belongs to the owner of the tables. */
  readonly role?: string;
  /** The most connections at once. */
  readonly connections?: number;
}

const CONNECTIONS = 16;
const CONNECT_MS = 10_000;
/** Work that takes longer is cut off when the process ends. */
const CLOSE_MS = 10_000;
/** PostgreSQL cancels longer statements, so that they release their locks. */
const STATEMENT_MS = 60_000;

/**
 * Opens a pool whose connections can do nothing outside a transaction for one organisation.
 * All statements go by keys. Scans are off because a plan is kept as long as its connection: one made while a table was nearly empty would read all of it later.
 */
export async function openPostgres(url: string, { role, connections = CONNECTIONS }: ConnectOptions = {}): Promise<Postgres> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'holdfast',
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    options: `-c search_path=holdfast -c enable_seqscan=off -c enable_bitmapscan=off${role === undefined ? '' : ` -c role=${role}`}`,
  });
  // The query on a lost connection reports the loss; without a listener the event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const opened: Omit<Postgres, 'hasVectors'> = {
    asOrganisation: async (org, work) => {
      if (!Number.isSafeInteger(org) || org <= 0) throw new TypeError(`${org} is not the number of an organisation`);
      return inTransaction(pool, String(org), work);
    },
    withoutOrganisation: (work) => inTransaction(pool, '', work),
    close: () => Promise.race([pool.end(), delay(CLOSE_MS, undefined, { ref: false })]),
  };
  try {
    await opened.withoutOrganisation(refuseIfUnsafe);
    return { ...opened, hasVectors: await opened.withoutOrganisation(hasVectorColumn) };
  } catch (cause) {
    await opened.close();
    throw cause;
  }
}

/** `org` is digits or nothing. It holds until the transaction ends, so that the next user of the connection starts without it. */
async function inTransaction<T>(pool: pg.Pool, org: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const { sql, end } = sqlOf(client);
  let isBroken = false;
  try {
    await client.query(`begin; set local holdfast.org = '${org}'`);
    const result = await work(sql);
    const { command } = await client.query('commit');
    // PostgreSQL rolls back instead if a statement failed and `work` continued.
    if (command !== 'COMMIT') throw new Failure('IO_ERROR', 'PostgreSQL rolled back the transaction because one of its statements failed');
    return result;
  } catch (cause) {
    isBroken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    throw cause;
  } finally {
    end();
    client.release(isBroken);
  }
}

/** Row-level security does not bind superusers and roles with BYPASSRLS, and the owner of a table can switch it off. */
async function refuseIfUnsafe(sql: Sql): Promise<void> {
  const [role] = await sql<{ name: string; unbound: boolean; owns: boolean; migrated: boolean }>`
    select rolname as name, rolsuper or rolbypassrls as unbound,
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'holdfast' and pg_has_role(rolname, c.relowner, 'usage')) as owns,
      to_regclass('holdfast.migrations') is not null as migrated
    from pg_roles where rolname = current_user`;
  const hint = 'use the URL of holdfast_app or another role that owns nothing';
  if (role?.migrated !== true)
    throw new Failure('IO_ERROR', 'the database has no tables of Holdfast yet', { hint: 'run the migrations with the URL of the owner' });
  if (role.unbound) throw new Failure('IO_ERROR', `the role ${role.name} is not bound by row-level security`, { hint });
  if (role.owns) throw new Failure('IO_ERROR', `the role ${role.name} owns tables of Holdfast`, { hint });
  const known = new Set((await sql<{ name: string }>`select name from migrations`).map(({ name }) => name));
  const missing = MIGRATIONS.filter(({ name, needs }) => needs === undefined && !known.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Failure('IO_ERROR', `migrations are missing: ${missing.join(', ')}`, { hint: 'run them with the URL of the owner' });
}

/** Asks for the column, because dropping the extension drops it too. */
async function hasVectorColumn(sql: Sql): Promise<boolean> {
  const [column] = await sql`select from pg_attribute where attrelid = to_regclass('holdfast.vectors') and attname = 'vector' and not attisdropped`;
  return column !== undefined;
}
