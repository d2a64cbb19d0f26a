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

describe.skipIf(!hasPostgres)('migrations', () => {
  it('run once, in order, and are recorded', async () => {
    const { ownerUrl, admin } = await emptyDatabase();
    expect(await migrateDatabase(ownerUrl)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrateDatabase(ownerUrl)).toEqual([]);
    const recorded = await admin.query<{ name: string }>('select name from holdfast.migrations order by name');
    expect(recorded.rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  it('run once when several servers start together', async () => {
    const { ownerUrl } = await emptyDatabase();
    const ran = await Promise.all([1, 2, 3].map(() => migrateDatabase(ownerUrl)));
    expect(ran.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
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
