import type { RemoteVersion, VersionKind } from '../../../core/ports/team/sync.ts';
import type { LoggedVersion, VersionFacts, VersionLog } from '../../../core/ports/team/version-log.ts';
import type { Sql } from '../sql.ts';

interface VersionRow {
  readonly seq: string;
  readonly id: string;
  readonly hash: string;
  readonly kind: VersionKind;
  readonly body: string | null;
  readonly ancestors: readonly string[];
}

const versionOf = ({ id, hash, kind, body, ancestors }: VersionRow): RemoteVersion => ({ id, hash, kind, ancestors, ...(body !== null && { body }) });

export interface LogPlace {
  readonly org: number;
  readonly project: number;
  readonly space: string;
}

/** The versions of one space. A writer locks the row of the space, so that numbers become visible in order. */
export async function openVersionLog(sql: Sql, { org, project, space }: LogPlace, use: 'reading' | 'writing'): Promise<VersionLog> {
  if (use === 'writing') {
    await sql`insert into spaces (org, project, space) values (${org}, ${project}, ${space}) on conflict do nothing`;
    await sql`select from spaces where org = ${org} and project = ${project} and space = ${space} for update`;
  }
  const tip: VersionLog['tip'] = async () => {
    const [row] = await sql<{ seq: string; mark: string }>`select seq, mark from spaces where org = ${org} and project = ${project} and space = ${space}`;
    return { seq: Number(row?.seq ?? 0), mark: row?.mark ?? '' };
  };
  return {
    tip,
    markAt: async (seq) => {
      const [row] = await sql<{ mark: string }>`
        select mark from record_versions where org = ${org} and project = ${project} and space = ${space} and seq = ${seq}`;
      return row?.mark;
    },
    head: async (id) => {
      const [row] = await sql<VersionRow>`
        select v.seq, v.id, v.hash, v.kind, v.body, v.ancestors from record_heads h join record_versions v using (org, project, space, seq)
        where h.org = ${org} and h.project = ${project} and h.space = ${space} and h.id = ${id}`;
      return row && versionOf(row);
    },
    has: async (id, hash, base) => {
      const rows = await sql`select from record_versions where org = ${org} and project = ${project} and space = ${space}
        and id = ${id} and hash = ${hash} and base is not distinct from ${base}`;
      return rows.count > 0;
    },
    append: async ({ id, hash, base, kind, body, ancestors, author }, mark) => {
      const seq = (await tip()).seq + 1;
      await sql`update spaces set seq = ${seq}, mark = ${mark} where org = ${org} and project = ${project} and space = ${space}`;
      await sql`insert into record_versions (org, project, space, seq, id, hash, base, kind, body, ancestors, author, mark)
        values (${org}, ${project}, ${space}, ${seq}, ${id}, ${hash}, ${base}, ${kind}, ${body ?? null}, ${ancestors}, ${author}, ${mark})`;
      await sql`insert into record_heads (org, project, space, id, seq) values (${org}, ${project}, ${space}, ${id}, ${seq})
        on conflict (org, project, space, id) do update set seq = excluded.seq`;
    },
    eraseTexts: async (id) => {
      await sql`update record_versions set body = null where org = ${org} and project = ${project} and space = ${space} and id = ${id}`;
      await sql`delete from proposals where org = ${org} and project = ${project} and id = ${id} and ${space} = 'shared'`;
    },
    headsAfter: async (seq, limit) => {
      const rows = await sql<VersionRow>`
        select v.seq, v.id, v.hash, v.kind, v.body, v.ancestors from record_heads h join record_versions v using (org, project, space, seq)
        where h.org = ${org} and h.project = ${project} and h.space = ${space} and h.seq > ${seq} order by h.seq limit ${limit}`;
      return rows.map((row): LoggedVersion => ({ ...versionOf(row), seq: Number(row.seq) }));
    },
    body: async (id, hash) => {
      const [row] = await sql<{ body: string | null }>`select body from record_versions
        where org = ${org} and project = ${project} and space = ${space} and id = ${id} and hash = ${hash} and body is not null limit 1`;
      return row?.body ?? undefined;
    },
    history: (id, limit) => sql<VersionFacts>`
      select hash, kind, author, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, body is not null as "hasText" from record_versions
      where org = ${org} and project = ${project} and space = ${space} and id = ${id} order by seq desc limit ${limit}`,
  };
}
