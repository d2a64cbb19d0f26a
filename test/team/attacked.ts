import { connectRaw } from '../postgres/cluster.ts';
import type { ServedTeam } from './served.ts';

/** Every row of an organisation, as the superuser sees it: what an attack may neither read nor change. */
export async function everythingOf(team: ServedTeam, org: number): Promise<string> {
  const client = await connectRaw(team.adminUrl);
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'org' where n.nspname = 'holdfast' and c.relkind = 'r' order by 1",
    );
    const found: unknown[] = [];
    for (const { name } of tables) found.push(name, (await client.query(`select t::text from holdfast.${name} t where org = $1 order by 1`, [org])).rows);
    return JSON.stringify(found);
  } finally {
    await client.end();
  }
}

/** What would be SQL if it were put into a statement, and other texts that mean something elsewhere. */
export const SQL_TEXTS = [
  "' or 1=1 --",
  "'; drop table holdfast.members; --",
  '1) union select hash from tokens --',
  "$1', true); set local holdfast.org = 1; --",
  '\u0000',
  '%',
  '../../..',
];
