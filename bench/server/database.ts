import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findServerBinaries } from '../../src/adapters/postgres/cluster/binaries.ts';
import { startCluster } from '../../src/adapters/postgres/cluster/cluster.ts';
import { openPostgres, type Postgres } from '../../src/adapters/postgres/connect.ts';
import { APP_ROLE, migrateDatabase } from '../../src/adapters/postgres/migrate.ts';

export interface BenchDatabase {
  /** Signs in as the superuser, whom no policy binds. */
  readonly url: string;
  readonly postgres: Postgres;
  /** The server's process. */
  readonly postmaster: number;
}

/** Settings of a small server, with full durability. */
const SETTINGS = { shared_buffers: '512MB', max_connections: '200', max_wal_size: '4GB', work_mem: '16MB' };

/** Runs `work` on a new server with all tables; deletes it afterwards unless its folder was named. */
export async function withDatabase(connections: number, keepFolder: string | undefined, work: (database: BenchDatabase) => Promise<void>): Promise<void> {
  const binaries = process.env['HOLDFAST_POSTGRES_BIN'] ?? findServerBinaries([path.resolve('node_modules')]);
  if (binaries === undefined) return console.log('skipped: there is no PostgreSQL, neither from npm nor of the system');
  const folder = keepFolder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-postgres-'));
  const cluster = await startCluster({ binaries, folder, settings: SETTINGS });
  try {
    await migrateDatabase(cluster.url);
    const postgres = await openPostgres(cluster.url, { role: APP_ROLE, connections });
    await work({ url: cluster.url, postgres, postmaster: cluster.pid() });
    await postgres.close();
  } catch (cause) {
    // Called before the server stops, which ends all connections.
    console.error(cause);
    process.exitCode = 1;
  } finally {
    await cluster.stop();
    if (keepFolder === undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}
