import { describe, expect, test } from 'vitest';
import { inEpisodeBatch } from '../../src/adapters/postgres/search-index/batches.ts';
import { openPostgres } from '../../src/adapters/postgres/connect.ts';
import { md5, sha256 } from '../../src/adapters/process/environment.ts';
import { transactionKeeper } from '../../src/app/episodes/batch-transactions.ts';
import { plainCodec } from '../../src/app/sync/plain-codec.ts';
import type { OfferedVersion } from '../../src/core/ports/team/sync.ts';
import { connectRaw, hasPostgres } from '../postgres/cluster.ts';
import { offeredRecord } from './records.ts';
import { serveForTest, type ServedTeam } from './served.ts';

const codec = plainCodec(sha256);

const offer = (team: ServedTeam, token: string, versions: readonly OfferedVersion[], project = 'web', more: object = {}) =>
  team.ask(token, 'POST', `v1/projects/${project}/shared/versions`, { versions, ...more });

const search = async (team: ServedTeam, token: string, query: Record<string, string>) => {
  const { status, json } = await team.ask(token, 'GET', `v1/search?${new URLSearchParams(query).toString()}`);
  expect([status, json['message']]).toEqual([200, undefined]);
  return json['hits'] as { kind: string; id: string; project: string; title: string; message_id: string | null }[];
};

const titles = async (...given: Parameters<typeof search>) => (await search(...given)).map(({ title }) => title);

const removal = ({ id, hash }: OfferedVersion, kind: 'deleted' | 'forgotten'): OfferedVersion => ({
  ...{ id, kind, base: hash, ancestors: [hash] },
  hash: codec.removalOf(id, kind, hash),
});

/** Every place in the database that holds a word. */
async function tablesWith(adminUrl: string, word: string): Promise<readonly string[]> {
  const client = await connectRaw(adminUrl);
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class c join pg_namespace n on n.oid = relnamespace where nspname = 'holdfast' and relkind = 'r'",
  );
  const found = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${name} r where r::text ilike $1 limit 1`, [`%${word}%`]);
    if (rowCount !== 0) found.push(name);
  }
  await client.end();
  return found.toSorted();
}

describe.skipIf(!hasPostgres)('a search of the team', () => {
  test('finds records in a project and in all of the organisation, and nothing of another organisation', async () => {
    const team = await serveForTest();
    const [acme, other] = [await team.organisation('acme'), await team.organisation('other')];
    await team.store.inOrganisation(acme, (transaction) => transaction.addProject('shop'));
    const [ada, eve] = [await team.member(acme, 'ada', 'writer'), await team.member(other, 'eve', 'admin')];
    const reader = await team.member(acme, 'rea', 'reader');
    await offer(team, ada, [offeredRecord('Use SQLite for the heron cache'), offeredRecord('Deploy on Fridays only')]);
    await offer(team, ada, [offeredRecord('The heron queue retries five times')], 'shop');
    await offer(team, eve, [offeredRecord('The heron of the others')]);
    expect(await titles(team, reader, { query: 'heron cache', project: 'web' })).toEqual(['Use SQLite for the heron cache']);
    expect((await titles(team, reader, { query: 'heron' })).toSorted()).toEqual(['The heron queue retries five times', 'Use SQLite for the heron cache']);
    expect((await search(team, reader, { query: 'queue retry' }))[0]).toMatchObject({
      kind: 'record',
      project: 'shop',
      id: 'decision/the-heron-queue-retries-five-times',
    });
    expect(await titles(team, eve, { query: 'heron' })).toEqual(['The heron of the others']);
    expect(await titles(team, reader, { query: 'hero queu', kind: 'message' })).toEqual([]);
    expect(await titles(team, reader, { query: 'hreon', project: 'shop' }), 'misspelt').toEqual(['The heron queue retries five times']);
    expect((await team.ask(reader, 'GET', 'v1/search?query=heron&project=none')).status).toBe(404);
    for (const wrong of ['query=', 'query=a&limit=0', 'query=a&limit=101', 'query=a&kind=x', 'query=a&org=2', ''])
      expect([wrong, (await team.ask(reader, 'GET', `v1/search?${wrong}`)).status]).toEqual([wrong, 400]);
    expect((await team.ask('', 'GET', 'v1/search?query=heron')).status).toBe(401);
    const { json } = await team.ask(reader, 'GET', 'v1/projects/web/record?id=decision/use-sqlite-for-the-heron-cache');
    expect(json).toMatchObject({ kind: 'record', title: 'Use SQLite for the heron cache', text: expect.stringContaining('heron') as string });
    expect((await team.ask(eve, 'GET', 'v1/projects/web/record?id=decision/use-sqlite-for-the-heron-cache')).status).toBe(404);
    const listed = (await team.ask(reader, 'GET', 'v1/projects/web/records?limit=1')).json['records'] as object[];
    expect(listed).toHaveLength(1);
  });

  test('follows changes, removals and review; what is forgotten leaves no word in any table', async () => {
    const team = await serveForTest();
    const acme = await team.organisation('acme');
    const [ada, rev] = [await team.member(acme, 'ada', 'writer'), await team.member(acme, 'rev', 'reviewer')];
    const path = 'decisions/where-to-keep-it.md';
    const first = offeredRecord('Keep sessions in the zebrafish store', path);
    const beside = offeredRecord('The walrus reads from the store');
    await offer(team, ada, [first, beside]);
    const second = offeredRecord('Keep sessions in the pelican store', path, first.hash);
    await offer(team, ada, [second]);
    expect(await titles(team, ada, { query: 'zebrafish' })).toEqual([]);
    expect(await titles(team, ada, { query: 'pelican' })).toEqual(['Keep sessions in the pelican store']);
    await offer(team, ada, [removal(beside, 'deleted')]);
    expect(await titles(team, ada, { query: 'store' })).toEqual(['Keep sessions in the pelican store']);
    await offer(team, ada, [offeredRecord('A proposed flamingo')], 'web', { propose: true });
    expect(await titles(team, rev, { query: 'flamingo' })).toEqual([]);
    expect((await team.ask(rev, 'POST', 'v1/projects/web/proposals/1/accept', { reason: '' })).status).toBe(200);
    expect(await titles(team, rev, { query: 'flamingo' })).toEqual(['A proposed flamingo']);
    expect(await tablesWith(team.adminUrl, 'zebrafish')).toEqual(['record_versions']);
    await offer(team, ada, [removal(second, 'forgotten')]);
    expect(await titles(team, ada, { query: 'pelican' })).toEqual([]);
    for (const word of ['zebrafish', 'pelican']) expect([word, await tablesWith(team.adminUrl, word)]).toEqual([word, []]);
    const sizes = await connectRaw(team.adminUrl);
    expect((await sizes.query('select units::int from index_sizes')).rows).toEqual([{ units: 1 }]);
    await sizes.end();
  });

  test('lists all records page by page, also those of the same time', async () => {
    const team = await serveForTest();
    const ada = await team.member(await team.organisation('acme'), 'ada', 'writer');
    const versions = Array.from({ length: 7 }, (_, nth) => offeredRecord(`Heron ${nth}`));
    await offer(team, ada, versions);
    const found: string[] = [];
    let next = '';
    do {
      const page = (await team.ask(ada, 'GET', `v1/projects/web/records?limit=3${next === '' ? '' : `&next=${next}`}`)).json;
      found.push(...(page['records'] as { title: string }[]).map(({ title }) => title));
      next = typeof page['next'] === 'string' ? page['next'] : '';
    } while (next !== '');
    expect(found.toSorted()).toEqual(versions.map((_, nth) => `Heron ${nth}`));
    expect((await team.ask(ada, 'GET', 'v1/projects/web/records?next=1.x')).status).toBe(400);
  });

  test('finds messages beside records, and each kind alone', async () => {
    const team = await serveForTest();
    const acme = await team.organisation('acme');
    const ada = await team.member(acme, 'ada', 'writer');
    const postgres = await openPostgres(team.databaseUrl, { connections: 2 });
    const keeper = transactionKeeper((batch, work) => inEpisodeBatch(postgres, { org: acme, project: 1 }, batch, work), md5);
    const facts = { sessionId: 's1', client: 'claude-code' as const, startedAt: '2026-01-01T10:00:00Z', endedAt: '2026-01-01T11:00:00Z' };
    const entries = [{ id: 'm1', sessionId: 's1', role: 'user' as const, at: '2026-01-01T10:00:00Z', text: 'Why does the heron cache time out on Mondays?' }];
    await keeper.take([{ key: 'web', archiveBytes: 1, parts: [{ facts, source: 's1.jsonl', entries }] }]);
    await postgres.close();
    await offer(team, ada, [offeredRecord('The heron cache has a limit')]);
    const kinds = async (query: Record<string, string>) => (await search(team, ada, { query: 'heron cache', ...query })).map(({ kind }) => kind).toSorted();
    expect(await kinds({ project: 'web' })).toEqual(['message', 'record']);
    expect(await kinds({})).toEqual(['message', 'record']);
    expect(await kinds({ kind: 'record' })).toEqual(['record']);
    expect(await kinds({ kind: 'message' })).toEqual(['message']);
    expect(await kinds({ category: 'decision' })).toEqual(['record']);
    expect(await kinds({ category: 'runbook' })).toEqual([]);
    expect(await kinds({ until: '2026-01-02', kind: 'message' })).toEqual(['message']);
    expect(await kinds({ since: '2026-01-02', kind: 'message' })).toEqual([]);
  });
});
