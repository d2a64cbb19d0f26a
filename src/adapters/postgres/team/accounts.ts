import type { TeamMember, StoredToken, TeamTransaction, TokenScope } from '../../../core/ports/team/store.ts';
import type { Sql } from '../sql.ts';

interface MemberRow {
  readonly member: string;
  readonly name: string;
  readonly role: TeamMember['role'];
  readonly subject: string | null;
}

interface TokenRow {
  readonly token: string;
  readonly member: string;
  readonly hash: string;
  readonly scopes: readonly TokenScope[];
  readonly label: string;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly parent: string | null;
}

const memberOf = ({ member, name, role, subject }: MemberRow): TeamMember => ({ member, name, role, ...(subject !== null && { subject }) });
const tokenOf = ({ expires_at: expiresAt, revoked_at: revokedAt, parent, ...rest }: TokenRow): StoredToken => ({
  ...rest,
  expiresAt,
  ...(revokedAt !== null && { revokedAt }),
  ...(parent !== null && { parent }),
});

type Accounts = Pick<
  TeamTransaction,
  | 'organisationName'
  | 'member'
  | 'memberOfSubject'
  | 'members'
  | 'putMember'
  | 'removeMember'
  | 'token'
  | 'tokens'
  | 'addToken'
  | 'endToken'
  | 'revokeToken'
  | 'audit'
  | 'auditEntries'
>;

/** Members, tokens and the audit log of an organisation. */
export const accountsIn = (sql: Sql, org: number): Accounts => ({
  organisationName: async () => (await sql<{ name: string }>`select name from organisations where org = ${org}`)[0]?.name ?? '',
  member: async (id) => {
    const [row] = await sql<MemberRow>`select member, name, role, subject from members where org = ${org} and member = ${id} and removed_at is null`;
    return row && memberOf(row);
  },
  memberOfSubject: async (subject) => {
    const [row] = await sql<MemberRow>`select member, name, role, subject from members where org = ${org} and subject = ${subject} and removed_at is null`;
    return row && memberOf(row);
  },
  members: async () => {
    const rows = await sql<MemberRow>`select member, name, role, subject from members where org = ${org} and removed_at is null order by member`;
    return rows.map(memberOf);
  },
  putMember: async ({ member, name, role, subject }) => {
    await sql`insert into members (org, member, name, role, subject) values (${org}, ${member}, ${name}, ${role}, ${subject ?? null})
      on conflict (org, member) do update set name = excluded.name, role = excluded.role, subject = excluded.subject, removed_at = null`;
  },
  removeMember: async (member, at) => {
    const removed = await sql`update members set removed_at = now(), subject = null where org = ${org} and member = ${member} and removed_at is null`;
    await sql`update tokens set revoked_at = least(revoked_at, ${at}) where org = ${org} and member = ${member}`;
    return removed.count > 0;
  },
  token: async (id) => {
    const [row] =
      await sql<TokenRow>`select token, member, hash, scopes, label, expires_at, revoked_at, parent from tokens where org = ${org} and token = ${id}`;
    return row && tokenOf(row);
  },
  tokens: async () => {
    const rows = await sql<TokenRow>`select token, member, hash, scopes, label, expires_at, revoked_at, parent from tokens
      where org = ${org} order by created_at`;
    return rows.map(tokenOf);
  },
  addToken: async ({ token, member, hash, scopes, label, expiresAt, parent }) => {
    await sql`insert into tokens (org, token, member, hash, scopes, label, expires_at, parent)
      values (${org}, ${token}, ${member}, ${hash}, ${scopes}, ${label}, ${expiresAt}, ${parent ?? null})`;
  },
  endToken: async (id, at) => {
    await sql`update tokens set revoked_at = least(revoked_at, ${at}) where org = ${org} and token = ${id}`;
  },
  revokeToken: async (id, at) => {
    await sql`
      with recursive made (token) as (
        select token from tokens where org = ${org} and token = ${id}
        union select t.token from made m join tokens t on t.org = ${org} and t.parent = m.token)
      update tokens set revoked_at = least(revoked_at, ${at}) where org = ${org} and token in (select token from made)`;
  },
  audit: async (member, action, target) => {
    await sql`insert into audit (org, member, action, target) values (${org}, ${member}, ${action}, ${target})`;
  },
  auditEntries: async (limit) => {
    const rows = await sql<{ at: Date; member: string; action: string; target: string }>`
      select at, member, action, target from audit where org = ${org} order by entry desc limit ${limit}`;
    return rows.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest }));
  },
});
