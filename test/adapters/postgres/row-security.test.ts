import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres, type Postgres } from '../../../src/adapters/postgres/connect.ts';
import { APP_ROLE } from '../../../src/adapters/postgres/migrate.ts';
import { createOrganisation, createProject, organisationNamed, projectsOf } from '../../../src/adapters/postgres/organisations.ts';
import { connectRaw, freshDatabase, freshProject, hasPostgres } from '../../postgres/cluster.ts';

/** Two organisations with a project and a file each, on as few connections as asked for. */
async function twoOrganisations(connections: number) {
  const database = await freshProject();
  const opened = await openPostgres(database.url, { connections });
  onTestFinished(() => opened.close());
  const name = `theirs-${randomBytes(6).toString('hex')}`;
  const [ours, theirs] = [await createOrganisation(opened, `ours${name}`), await createOrganisation(opened, name)];
  for (const org of [ours, theirs]) {
    const project = await createProject(opened, org, 'web');
    await opened.asOrganisation(
      org,
      (sql) =>
        sql`insert into files (org, project, root, path, content, hash, mtime) values (${org}, ${project}, 'shared', 'a.md', ${Buffer.from(`of ${org}`)}, 'h', 1)`,
    );
  }
  return { ...database, postgres: opened, ours, theirs, name };
}

async function rowsOf<Row extends object>(url: string, query: string): Promise<readonly Row[]> {
  const client = await connectRaw(url);
  onTestFinished(() => client.end());
  return (await client.query<Row>(query)).rows;
}

/** A query whose author forgot to name the organisation. */
const forgetful = (opened: Postgres, org: number): Promise<readonly string[]> =>
  opened.asOrganisation(org, async (sql) => (await sql<{ content: Buffer }>`select content from files`).map(({ content }) => String(content)));
const nobody = (opened: Postgres): Promise<number> => opened.withoutOrganisation(async (sql) => (await sql`select from files`).length);

describe.skipIf(!hasPostgres)('row-level security', () => {
  it('is on and forced for every table, whose keys begin with the organisation and which the server does not own', async () => {
    const { adminUrl } = await freshDatabase();
    const tables = await rowsOf<{ name: string; forced: boolean; owner: string; policies: number; org: boolean }>(
      adminUrl,
      `
      select c.relname as name, relrowsecurity and relforcerowsecurity as forced, pg_get_userbyid(relowner) as owner,
        (select count(*)::integer from pg_policy where polrelid = c.oid) as policies,
        (select bool_and(a.attname = 'org') from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
          where i.indrelid = c.oid and i.indisprimary) as org
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'holdfast' and relkind in ('r', 'p') and relname <> 'migrations'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['organisations', 'projects', 'files', 'versions', 'journal']));
    expect(tables.filter(({ forced, owner, policies, org }) => !forced || owner === APP_ROLE || policies === 0 || !org)).toEqual([]);
  });

  it('shows a query without a filter the rows of its own organisation only', async () => {
    const { postgres: opened, ours, theirs } = await twoOrganisations(4);
    expect(await forgetful(opened, ours)).toEqual([`of ${ours}`]);
    expect(await forgetful(opened, theirs)).toEqual([`of ${theirs}`]);
    expect(await nobody(opened)).toBe(0);
    expect((await projectsOf(opened, ours)).map(({ key }) => key)).toEqual(['web']);
  });

  it('lets nobody write into another organisation', async () => {
    const { postgres: opened, ours, theirs } = await twoOrganisations(4);
    const into = opened.asOrganisation(ours, (sql) => sql`insert into projects (org, project, key) values (${theirs}, 7, 'planted')`);
    await expect(into).rejects.toThrow(/row-level security/);
    const moved = opened.asOrganisation(ours, (sql) => sql`update files set org = ${theirs}`);
    await expect(moved).rejects.toThrow(/row-level security/);
    expect(await opened.asOrganisation(ours, async (sql) => (await sql`update files set hash = 'x' where org = ${theirs}`).count)).toBe(0);
    expect(await opened.asOrganisation(ours, async (sql) => (await sql`delete from files where org = ${theirs}`).count)).toBe(0);
    expect(await forgetful(opened, theirs)).toEqual([`of ${theirs}`]);
  });

  it('binds the owner of the tables too', async () => {
    const { ownerUrl } = await twoOrganisations(1);
    expect(await rowsOf(ownerUrl, 'select from files')).toHaveLength(0);
  });

  it('leaks nothing through a connection that is used again after an error', async () => {
    const { postgres: opened, ours, theirs } = await twoOrganisations(1);
    const failures = [
      () => opened.asOrganisation(ours, (sql) => sql`select 1 / 0`),
      () =>
        opened.asOrganisation(ours, async (sql) => {
          await sql`select from files`;
          throw new Error('stopped half-way');
        }),
      () => opened.asOrganisation(ours, (sql) => sql`select pg_terminate_backend(pg_backend_pid())`),
    ];
    for (const failure of failures) {
      await expect(failure()).rejects.toThrow(/division by zero|stopped half-way|terminat/i);
      expect(await nobody(opened)).toBe(0);
      expect(await forgetful(opened, theirs)).toEqual([`of ${theirs}`]);
    }
  });

  it('forgets the organisation with the transaction', async () => {
    const { postgres: opened, ours } = await twoOrganisations(1);
    const setting = () => opened.withoutOrganisation(async (sql) => (await sql<{ org: number | null }>`select current_org() as org`)[0]?.org);
    await forgetful(opened, ours);
    expect(await setting()).toBeNull();
    await expect(opened.asOrganisation(ours, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await setting()).toBeNull();
  });

  it('acknowledges nothing of a transaction whose error was swallowed', async () => {
    const { postgres: opened, ours } = await twoOrganisations(2);
    const swallowing = opened.asOrganisation(ours, async (sql) => {
      await sql`update files set hash = 'lost'`;
      await sql`select 1 / 0`.catch(() => undefined);
      return 'saved';
    });
    await expect(swallowing).rejects.toThrow(/rolled back the transaction/);
    expect(await opened.asOrganisation(ours, (sql) => sql`select from files where hash = 'lost'`)).toHaveLength(0);
  });

  it('finds an organisation by its exact name only', async () => {
    const { postgres: opened, theirs, name } = await twoOrganisations(1);
    expect(await organisationNamed(opened, name)).toBe(theirs);
    expect(await organisationNamed(opened, '%')).toBeUndefined();
    expect(await opened.withoutOrganisation((sql) => sql`select from organisations`)).toHaveLength(0);
  });

  it.each(['Ours', '', 'a b', "x'; drop table files; --"])('takes no organisation named %j', async (name) => {
    const { postgres: opened } = await freshProject();
    await expect(createOrganisation(opened, name)).rejects.toThrow(/cannot name an organisation/);
  });

  it.each([0, -1, 1.5, Number.NaN, '1' as unknown as number])('refuses the organisation %j', async (org) => {
    const { postgres: opened } = await freshProject();
    await expect(opened.asOrganisation(org, (sql) => sql`select 1`)).rejects.toThrow(/is not the number of an organisation/);
  });
});

describe.skipIf(!hasPostgres)('opening a database', () => {
  it('refuses roles that row-level security does not bind', async () => {
    const { adminUrl, ownerUrl } = await freshDatabase();
    await expect(openPostgres(adminUrl)).rejects.toThrow(/not bound by row-level security/);
    await expect(openPostgres(ownerUrl)).rejects.toThrow(/owns tables/);
  });

  it('starts the connections of an owner as the role that owns nothing', async () => {
    const { ownerUrl, adminUrl } = await freshDatabase();
    for (const url of [ownerUrl, adminUrl]) {
      const opened = await openPostgres(url, { role: APP_ROLE });
      onTestFinished(() => opened.close());
      const [row] = await opened.withoutOrganisation((sql) => sql<{ role: string }>`select current_user as role`);
      expect(row?.role).toBe(APP_ROLE);
    }
  });

  it('says what is missing in a database without tables', async () => {
    const { adminUrl } = await freshDatabase();
    const empty = adminUrl.replace(/[^/]+$/, 'postgres');
    await expect(openPostgres(empty)).rejects.toThrow(/no tables of Holdfast/);
  });
});
