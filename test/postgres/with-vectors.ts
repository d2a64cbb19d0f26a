import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { onTestFinished } from 'vitest';
import { openPostgres, type Postgres } from '../../src/adapters/postgres/connect.ts';
import { APP_ROLE, type MigrationClient, runMissing } from '../../src/adapters/postgres/migrate.ts';
import { MIGRATIONS } from '../../src/adapters/postgres/migrations/list.ts';
import { type Connection, sqlOf } from '../../src/adapters/postgres/sql.ts';
import { inTurn } from '../../src/core/task-queue.ts';
import { connectRaw, freshDatabase } from './cluster.ts';

export interface VectorDatabase {
  readonly postgres: Postgres;
  /** A statement of the superuser, without row-level security. */
  rows(statement: string): Promise<readonly Record<string, unknown>[]>;
}

/** A database that keeps vectors: the server of this run where it has pgvector, else PGlite, which brings PostgreSQL with the extension. */
export async function databaseWithVectors(): Promise<VectorDatabase> {
  const { url, adminUrl } = await freshDatabase();
  const postgres = await openPostgres(url, { connections: 4 });
  onTestFinished(() => postgres.close());
  if (!postgres.hasVectors) return pgliteWithVectors();
  const admin = await connectRaw(adminUrl);
  onTestFinished(() => admin.end());
  return { postgres, rows: async (statement) => (await admin.query<Record<string, unknown>>(statement)).rows };
}

const BYTEA = 17;
/** As PostgreSQL is opened, apart from what PGlite has one of: its connection. */
const SETTINGS = 'set search_path = holdfast; set enable_seqscan = off; set enable_bitmapscan = off';

async function pgliteWithVectors(): Promise<VectorDatabase> {
  const lite = await PGlite.create({ extensions: { vector }, parsers: { [BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') } });
  onTestFinished(() => lite.close());
  const ask = async (text: string, values: readonly unknown[] = []) => {
    const answer = values.length > 0 ? await lite.query<Record<string, unknown>>(text, [...values]) : (await lite.exec(text)).at(-1);
    return { rows: answer?.rows ?? [], rowCount: answer?.affectedRows ?? 0 };
  };
  const connection: Connection = { query: async ({ text, values }) => ask(text, values) };
  const migrating = { query: ask } as unknown as MigrationClient;
  await ask(`create role ${APP_ROLE}; begin`);
  await runMissing(migrating, MIGRATIONS);
  await ask(`commit; ${SETTINGS}`);
  const turn = inTurn();
  const inTransaction = <T>(org: string, work: (sql: ReturnType<typeof sqlOf>['sql']) => Promise<T>): Promise<T> =>
    turn(async () => {
      const { sql, end } = sqlOf(connection);
      await ask(`begin; set local role ${APP_ROLE}; set local holdfast.org = '${org}'`);
      try {
        const result = await work(sql);
        await ask('commit');
        return result;
      } catch (cause) {
        await ask('rollback');
        throw cause;
      } finally {
        end();
      }
    });
  return {
    postgres: {
      hasVectors: true,
      asOrganisation: (org, work) => inTransaction(String(org), work),
      withoutOrganisation: (work) => inTransaction('', work),
      close: async () => undefined,
    },
    rows: (statement) => turn(async () => (await ask(statement)).rows),
  };
}
