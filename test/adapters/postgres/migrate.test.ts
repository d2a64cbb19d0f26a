import { describe, expect, it, onTestFinished } from 'vitest';
import { migrateDatabase } from '../../../src/adapters/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/adapters/postgres/migrations/list.ts';
import { connectRaw, freshDatabase, hasPostgres } from '../../postgres/cluster.ts';

/** The same database as at the beginning: without the tables. */
async function emptyDatabase() {
  const { ownerUrl, adminUrl } = await freshDatabase();
  const admin = await connectRaw(adminUrl);
  onTestFinished(() => admin.end());
  await admin.query('drop schema holdfast cascade');
  return { ownerUrl, admin };
}

/** Those that run where PostgreSQL has no pgvector, and those that run where it has. */
async function expectedNames(admin: Awaited<ReturnType<typeof connectRaw>>): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>('select name from pg_available_extensions');
  return MIGRATIONS.filter(({ needs }) => needs === undefined || rows.some(({ name }) => name === needs)).map(({ name }) => name);
}

describe.skipIf(!hasPostgres)('migrations', () => {
  it('run once, in order, and are recorded', async () => {
    const { ownerUrl, admin } = await emptyDatabase();
    const names = await expectedNames(admin);
    expect(await migrateDatabase(ownerUrl)).toEqual(names);
    expect(await migrateDatabase(ownerUrl)).toEqual([]);
    const recorded = await admin.query<{ name: string }>('select name from holdfast.migrations order by name');
    expect(recorded.rows.map(({ name }) => name)).toEqual(names);
  });

  it('run once when several servers start together', async () => {
    const { ownerUrl, admin } = await emptyDatabase();
    const ran = await Promise.all([1, 2, 3].map(() => migrateDatabase(ownerUrl)));
    expect(ran.flat()).toEqual(await expectedNames(admin));
  });

  it('wait for an extension that they need, which is made among our tables', async () => {
    const { ownerUrl, admin } = await emptyDatabase();
    await migrateDatabase(ownerUrl);
    const steps = [
      { name: '998 other', sql: 'create table a (word no_such_type)', needs: 'no_such_extension' },
      { name: '999 words', sql: 'create table b (word citext)', needs: 'citext' },
    ];
    expect(await migrateDatabase(ownerUrl, [...MIGRATIONS, ...steps])).toEqual(['999 words']);
    const { rows } = await admin.query("select extnamespace::regnamespace::text as place from pg_extension where extname = 'citext'");
    expect(rows).toEqual([{ place: 'holdfast' }]);
  });

  it('leave one out whose extension stands where our statements do not look', async () => {
    const { ownerUrl, admin } = await emptyDatabase();
    await admin.query('create extension citext with schema public');
    const step = { name: '999 words', sql: 'create table b (word citext)', needs: 'citext' };
    expect(await migrateDatabase(ownerUrl, [...MIGRATIONS, step])).not.toContain('999 words');
    await admin.query('alter extension citext set schema holdfast');
    expect(await migrateDatabase(ownerUrl, [...MIGRATIONS, step])).toEqual(['999 words']);
  });

  it('leave nothing of one that fails', async () => {
    const { ownerUrl, admin } = await emptyDatabase();
    await migrateDatabase(ownerUrl);
    const broken = { name: '999 broken', sql: 'create table holdfast.half (org integer); select 1 / 0' };
    await expect(migrateDatabase(ownerUrl, [...MIGRATIONS, broken])).rejects.toThrow(/division by zero/);
    expect((await admin.query("select to_regclass('holdfast.half') as found")).rows[0]).toEqual({ found: null });
    expect(await migrateDatabase(ownerUrl)).toEqual([]);
  });

  it('refuse a database of a newer version', async () => {
    const { ownerUrl } = await emptyDatabase();
    await migrateDatabase(ownerUrl, [...MIGRATIONS, { name: '999 of tomorrow', sql: 'select 1' }]);
    await expect(migrateDatabase(ownerUrl)).rejects.toThrow(/newer version: 999 of tomorrow/);
  });
});
