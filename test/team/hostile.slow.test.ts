import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/edges/team/operations.ts';
import { random } from '../app/sharing/clones.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { rounds } from '../rounds.ts';
import { everythingOf, SQL_TEXTS as SQL } from './attacked.ts';
import { offeredRecord } from './records.ts';
import { type DatabaseChange, serveForTest, type ServedTeam } from './served.ts';
import type { Sql } from '../../src/adapters/postgres/sql.ts';

/** One tool call over MCP, without a session. */
async function askMcp(
  team: ServedTeam,
  token: string,
  params: { readonly name: string; readonly arguments: object },
): Promise<{ readonly status: number; readonly json: unknown }> {
  const version = '2026-07-28';
  const meta = { protocolVersion: version, clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const _meta = Object.fromEntries(Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]));
  const response = await fetch(new URL('mcp', team.url), {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': params.name },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } }),
  });
  return { status: response.status, json: await response.json() };
}

/** The same statement with every condition on the organisation removed, as if its author had forgotten it. */
const unfiltered = new Map<TemplateStringsArray, TemplateStringsArray>();
function withoutFilters(template: TemplateStringsArray): TemplateStringsArray {
  const known = unfiltered.get(template);
  if (known) return known;
  const parts = [...template];
  for (let at = 0; at + 1 < parts.length; at++) {
    const condition = /(?<=\b(?:where|and|on) )(?:\w+\.)?org = $/.exec(parts[at] ?? '');
    if (!condition) continue;
    parts[at] = `${parts[at]?.slice(0, condition.index)}(true or `;
    parts[at + 1] = `::integer is null)${parts[at + 1]}`;
  }
  const made = Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
  unfiltered.set(template, made);
  return made;
}

/** A server whose statements forgot their filters, on one connection that others have just failed on. */
const CARELESS: DatabaseChange = {
  connections: 1,
  around: (postgres) => ({
    ...postgres,
    asOrganisation: async (org, work) => {
      const failing = postgres.asOrganisation(1, async (sql) => {
        await sql`select * from members`;
        await sql`select 1 / 0`;
      });
      await failing.catch(() => undefined);
      return postgres.asOrganisation(org, (sql) => {
        const careless: Sql = (template, ...values) => sql(withoutFilters(template), ...values);
        return work(careless);
      });
    },
  }),
};

const BUILDS = [
  { name: 'as it is', change: undefined },
  { name: 'with all filters removed, on one connection after errors', change: CARELESS },
];

describe.skipIf(!hasPostgres)('two organisations on one server', () => {
  test.each(BUILDS)(
    'hostile clients of one read and change nothing of the other: $name',
    async ({ change }) => {
      const team = await serveForTest(change && { database: change });
      const [acme, evil] = [await team.organisation('acme'), await team.organisation('evil')];
      const victim = await team.member(acme, 'ada', 'admin');
      const word = 'Heronwood';
      const version = offeredRecord(`${word} plan`);
      await team.ask(victim, 'POST', 'v1/projects/web/shared/versions', { versions: [version] });
      await team.ask(victim, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord(`${word} proposal`)], propose: true });
      await team.ask(victim, 'POST', 'v1/projects', { key: 'hidden' });
      const conversation = (sessionId: string, text: string) => ({
        text: [{ session: { sessionId, client: 'codex' } }, { id: 'm1', sessionId, role: 'user', text }].map((line) => JSON.stringify(line)).join('\n'),
      });
      const sent = await team.ask(victim, 'POST', 'v1/projects/web/conversations', { conversations: [conversation('s1', `${word} talk`)] });
      expect([sent.status, sent.json]).toEqual([200, { messages: 1 }]);
      const attackers = [await team.member(evil, 'eve', 'admin'), await team.member(evil, 'eli', 'writer'), await team.member(evil, 'ema', 'reader')];
      const expired = await team.member(evil, 'old', 'admin');
      await team.store.inOrganisation(evil, (transaction) => transaction.endToken(expired.split('_')[2] ?? '', team.clock.ms - 1));
      const before = await everythingOf(team, acme);
      const chance = random(19);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
      const [, , victimId = '', victimSecret = ''] = victim.split('_');
      const hex = (length: number): string => Array.from({ length }, () => Math.floor(chance() * 16).toString(16)).join('');
      const tokens = (): string => {
        const [, , id, secret] = pick(attackers).split('_');
        return pick([
          ...attackers,
          ...attackers,
          expired,
          `hf_${acme}_${id}_${secret}`,
          `hf_${acme}_${victimId}_${secret}`,
          `hf_${acme}_${victimId}_${hex(64)}`,
          `hf_${acme}_${hex(12)}_${victimSecret}`,
          `hf_${evil}_${victimId}_${victimSecret}`,
          `hf_${acme} or 1=1_${victimId}_${secret}`,
          '',
        ]);
      };
      const statuses = new Map<number, number>();
      for (let attempt = 0; attempt < rounds(500, 3_000); attempt++) {
        const operation = pick(OPERATIONS);
        const name = (param: string): string =>
          pick([
            ...(param === 'space' ? ['shared', 'private', 'private:ada'] : []),
            ...(param === 'project' ? ['web', 'web', 'hidden', String(acme), '1'] : []),
            ...(param === 'id' ? [version.id, victimId, hex(64)] : []),
            ...(param === 'hash' ? [version.hash, hex(64)] : []),
            ...(param === 'number' ? ['1', '2', '-1'] : []),
            ...(param === 'member' ? ['ada', 'eve'] : []),
            ...(param === 'session' ? ['s1', 's2', 'wanted'] : []),
            pick(SQL),
          ]);
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(name(param))).slice(1);
        const text = (): string => pick([pick(SQL), 'ada', 'web', word.slice(0, 2)]);
        const body = pick<unknown>([
          { versions: [{ ...version, base: pick([null, version.hash]), kind: 'forgotten', body: undefined }] },
          { versions: [offeredRecord(text())] },
          { versions: [{ ...version, id: text() }] },
          { key: text(), review: true },
          { review: chance() < 0.5 },
          { member: pick(['ada', text()]), name: text(), role: 'admin', subject: text() },
          { member: pick(['ada', 'eli']), scopes: ['read', 'admin'], label: text(), days: 30 },
          { days: 3 },
          { conversations: [conversation(pick(['s1', 's2']), text())] },
          { conversations: [{ ...conversation('s1', text()), replaces: true, digest: version.hash }] },
          { conversations: [{ id: 's1', digest: hex(64) }] },
          { reason: text() },
          { org: acme, organisation: 'acme' },
        ]);
        const searched =
          operation.path === '/v1/search'
            ? `?${new URLSearchParams({ query: pick([word, text()]), ...(chance() < 0.5 && { project: name('project') }) }).toString()}`
            : '';
        const query =
          searched !== ''
            ? searched
            : chance() < 0.3
              ? `?${new URLSearchParams({ [pick(['cursor', 'tip', 'state', 'limit', 'org'])]: pick(SQL) }).toString()}`
              : '';
        const isMcp = chance() < 0.1;
        const tool = {
          name: pick(['memory_search', 'memory_get', 'memory_timeline', 'memory_projects', 'memory_save']),
          arguments: { query: word, ids: [text(), version.id], project: name('project'), everywhere: chance() < 0.5, category: 'decision', text: text() },
        };
        const { status, json } = isMcp
          ? await askMcp(team, tokens(), tool)
          : await team.ask(tokens(), operation.method.toUpperCase(), path + query, operation.body ? body : undefined);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(JSON.stringify(json), `${operation.method} ${path}`).not.toContain(word);
        expect(JSON.stringify(json)).not.toContain(victimId);
      }
      if (change) expect([...unfiltered].filter(([given, made]) => String(given) !== String(made)).length).toBeGreaterThan(30);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
      expect(statuses.get(503) ?? 0, JSON.stringify(team.log.filter(({ status }) => status === 503).slice(0, 3))).toBe(0);
      expect(await everythingOf(team, acme)).toBe(before);
      expect((await team.ask(victim, 'GET', 'v1/me')).status).toBe(200);
    },
    300_000,
  );

  test('a query that forgot its filter sees its own organisation only, also on a connection that just failed', async () => {
    const team = await serveForTest();
    const [acme, evil] = [await team.organisation('acme'), await team.organisation('evil')];
    await team.member(acme, 'ada', 'admin');
    await team.member(evil, 'eve', 'admin');
    const { openPostgres } = await import('../../src/adapters/postgres/connect.ts');
    // One connection: what the first transaction leaves behind, the second would find.
    const postgres = await openPostgres(team.databaseUrl, { connections: 1 });
    try {
      for (let round = 0; round < 20; round++) {
        const failing = postgres.asOrganisation(acme, async (sql) => {
          await sql`select member from members`;
          await sql`select 1 / 0`;
        });
        await expect(failing).rejects.toThrow(/division/);
        const seen = await postgres.asOrganisation(evil, async (sql) => {
          const all = [await sql`select * from members`, await sql`select * from tokens`, await sql`select * from audit`, await sql`select * from projects`];
          const changed = [await sql`update members set role = 'reader'`, await sql`delete from tokens where member <> 'eve'`];
          return { orgs: all.flat().map((row) => row['org']), changed: changed.map(({ count }) => count) };
        });
        expect(new Set(seen.orgs)).toEqual(new Set([evil]));
        expect(seen.changed).toEqual([1, 0]);
        expect(await postgres.withoutOrganisation((sql) => sql`select * from members`)).toHaveLength(0);
      }
      await expect(
        postgres.asOrganisation(evil, (sql) => sql`insert into members (org, member, name, role) values (${acme}, 'eve', 'Eve', 'admin')`),
      ).rejects.toThrow(/row-level security/);
      await expect(postgres.asOrganisation(evil, (sql) => sql`delete from audit`)).rejects.toThrow(/permission denied/);
    } finally {
      await postgres.close();
    }
  });
});
