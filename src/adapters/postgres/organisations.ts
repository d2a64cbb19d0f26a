import { Failure } from '../../core/failure.ts';
import type { Postgres } from './connect.ts';

/** Creates an organisation and returns its number. Names are unique. */
export async function createOrganisation(postgres: Postgres, name: string): Promise<number> {
  const org = await postgres.withoutOrganisation(async (sql) => {
    const [drawn] = await sql<{ org: number }>`select nextval('organisations_org_seq')::integer as org`;
    return drawn?.org ?? 0;
  });
  try {
    await postgres.asOrganisation(org, (sql) => sql`insert into organisations (org, name) values (${org}, ${name})`);
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === '23505') throw new Failure('IO_ERROR', `an organisation named ${name} already exists`, { cause, hint: 'choose another name' });
    if (code === '23514')
      throw new Failure('IO_ERROR', `${JSON.stringify(name)} cannot name an organisation`, { cause, hint: 'use small letters, digits and hyphens' });
    throw cause;
  }
  return org;
}

/** The number of an organisation by its exact name. */
export const organisationNamed = (postgres: Postgres, name: string): Promise<number | undefined> =>
  postgres.withoutOrganisation(async (sql) => {
    await sql`select set_config('holdfast.org_name', ${name}, true)`;
    const [row] = await sql<{ org: number }>`select org from organisations where name = ${name}`;
    return row?.org;
  });

/** The number of an organisation's project; creates the project if it does not exist. */
export const createProject = (postgres: Postgres, org: number, key: string): Promise<number> =>
  postgres.asOrganisation(org, async (sql) => {
    // The organisation's row is the lock for numbering its projects.
    await sql`select from organisations where org = ${org} for no key update`;
    const [row] = await sql<{ project: number }>`
      insert into projects (org, project, key) select ${org}, coalesce(max(project), 0) + 1, ${key} from projects where org = ${org}
      on conflict (org, key) do update set key = excluded.key returning project`;
    if (!row) throw new Error(`the project ${key} was not created`);
    return row.project;
  });

export interface OrganisationProject {
  readonly project: number;
  readonly key: string;
}

/** All projects of an organisation, by key. */
export const projectsOf = (postgres: Postgres, org: number): Promise<readonly OrganisationProject[]> =>
  postgres.asOrganisation(org, (sql) => sql<OrganisationProject>`select project, key from projects where org = ${org} order by key`);
