import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCluster } from '../../../src/adapters/postgres/cluster/cluster.ts';
import { openPostgres } from '../../../src/adapters/postgres/connect.ts';
import { APP_ROLE, migrateDatabase } from '../../../src/adapters/postgres/migrate.ts';
import { createOrganisation, createProject, organisationNamed } from '../../../src/adapters/postgres/organisations.ts';
import { PostgresStore } from '../../../src/adapters/postgres/store.ts';
import { connectRaw, hasPostgres } from '../../postgres/cluster.ts';

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

/** The packages that only bring a server have no pg_dump, and one of another version refuses. */
const SYSTEM = '/usr/lib/postgresql';
const binaries = (fs.existsSync(SYSTEM) ? fs.readdirSync(SYSTEM) : [])
  .map((version) => path.join(SYSTEM, version, 'bin'))
  .find((bin) => fs.existsSync(path.join(bin, 'pg_dump')));
if (binaries === undefined) console.warn('skipped: the system has no PostgreSQL with pg_dump');

it.skipIf(binaries === undefined || !hasPostgres)(
  'a database comes back from pg_dump with every file, version and journal entry, and with its policies',
  async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-backup-'));
    const cluster = await startCluster({ binaries: binaries ?? '', folder, settings: { fsync: 'off' } });
    onTestFinished(async () => {
      await cluster.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    await migrateDatabase(cluster.url);
    const opened = await openPostgres(cluster.url, { role: APP_ROLE });
    const org = await createOrganisation(opened, 'acme');
    const project = await createProject(opened, org, 'web');
    const store = new PostgresStore({ postgres: opened, org, project, roots: { shared: '/acme/web' }, md5, now: Date.now });
    const write = (text: string) => store.write('test', (session) => session.apply({ root: 'shared', path: 'a.md', text, op: 'write' }));
    const first = await write('one');
    await write('two');
    const before = await store.journal.entries();
    await opened.close();

    // As docs/scaling.md says.
    const dump = execFileSync(path.join(binaries ?? '', 'pg_dump'), ['--format=custom', '--schema=holdfast', '--dbname', cluster.url], { maxBuffer: 1 << 26 });
    const admin = await connectRaw(cluster.url);
    await admin.query('create database restored');
    await admin.end();
    const url = cluster.url.replace(/postgres$/, 'restored');
    execFileSync(path.join(binaries ?? '', 'pg_restore'), ['--exit-on-error', '--dbname', url], { input: dump });

    expect(await migrateDatabase(url)).toEqual([]);
    const restored = await openPostgres(url, { role: APP_ROLE });
    onTestFinished(() => restored.close());
    expect(await organisationNamed(restored, 'acme')).toBe(org);
    const again = new PostgresStore({ postgres: restored, org, project, roots: { shared: '/acme/web' }, md5, now: Date.now });
    expect((await again.read({ root: 'shared', path: 'a.md' }))?.text).toBe('two');
    expect(await again.version(first.after ?? '')).toBe('one');
    expect(await again.journal.entries()).toEqual(before);
    expect(await restored.withoutOrganisation((sql) => sql`select from files`)).toHaveLength(0);
    expect((await again.write('test', (session) => session.apply({ root: 'shared', path: 'b.md', text: 'b', op: 'create' }))).seq).toBe(3);
  },
);
