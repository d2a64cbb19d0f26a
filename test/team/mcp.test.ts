import { describe, expect, test } from 'vitest';
import { hasPostgres } from '../postgres/cluster.ts';
import { offeredRecord } from './records.ts';
import { serveForTest, type ServedTeam } from './served.ts';

const META = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';

interface Reply {
  readonly status: number;
  readonly session: string | null;
  readonly json: { readonly result?: Record<string, unknown>; readonly error?: { readonly code: number; readonly message: string } };
}

const send = async (team: ServedTeam, token: string, message: unknown, headers: Record<string, string> = {}, path = 'mcp', method = 'POST'): Promise<Reply> => {
  const response = await fetch(new URL(path, team.url), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(message) }),
  });
  const text = await response.text();
  return { status: response.status, session: response.headers.get('mcp-session-id'), json: (text === '' ? {} : JSON.parse(text)) as Reply['json'] };
};

const rpc = (method: string, params: object = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const initialize = (version = '2025-11-25') => rpc('initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

/** A request of the revision without sessions, with the headers it needs. */
const alone = (team: ServedTeam, token: string, method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const _meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: {}, [`${META}clientInfo`]: { name: 'test', version: '1' } };
  const named = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return send(team, token, rpc(method, { ...params, _meta }), { 'mcp-protocol-version': VERSION, 'mcp-method': method, ...named, ...headers });
};

const call = (team: ServedTeam, token: string, name: string, args: object) => alone(team, token, 'tools/call', { name, arguments: args });
const textIn = ({ json }: Reply): string => (json.result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';

describe.skipIf(!hasPostgres)('MCP on the team’s server', () => {
  test('a message that a search finds is read with what was said around it, as data', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, rea] = [await team.member(org, 'ada', 'writer'), await team.member(org, 'rea', 'reader')];
    const said = ['Why does the walrus queue stop?', 'Because it is full.', 'Then make it larger.'];
    const lines = [{ session: { sessionId: 's1', client: 'codex' } }, ...said.map((text, nth) => ({ id: `m${nth}`, sessionId: 's1', role: 'user', text }))];
    await team.ask(ada, 'POST', 'v1/projects/web/conversations', { conversations: [{ text: lines.map((line) => JSON.stringify(line)).join('\n') }] });
    expect(textIn(await call(team, rea, 'memory_search', { query: 'walrus' }))).toContain('message m0 of session s1');
    const read = textIn(await call(team, rea, 'memory_get', { project: 'web', session: 's1', ids: ['m0'] }));
    expect(read).toMatch(/<holdfast[^]*walrus[^]*it is full[^]*larger[^]*<\/holdfast/);
    expect((await call(team, rea, 'memory_get', { project: 'web', session: 's2', ids: ['m0'] })).json.result).toMatchObject({ isError: true });
  });

  test('older revisions get a session, which opens for its token only, and ends', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, bob] = [await team.member(org, 'ada', 'reader'), await team.member(org, 'bob', 'admin')];
    const begun = await send(team, ada, initialize('2025-06-18'));
    expect(begun.json.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'holdfast-team' } });
    const session = { 'mcp-session-id': begun.session ?? '' };
    expect(begun.session).toMatch(/^[0-9a-f]{48}$/);
    expect((await send(team, ada, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(202);
    const listed = (await send(team, ada, rpc('tools/list'), session)).json.result?.['tools'] as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(['memory_search', 'memory_get', 'memory_timeline', 'memory_projects', 'memory_save']);
    expect((await send(team, ada, rpc('tools/list'))).status, 'without a session').toBe(400);
    expect((await send(team, bob, rpc('tools/list'), session)).status, 'of another member').toBe(404);
    expect((await send(team, ada, rpc('ping'), { ...session, 'mcp-protocol-version': '2019-01-01' })).status).toBe(400);
    expect((await send(team, ada, {}, session, 'mcp', 'GET')).status).toBe(405);
    expect((await send(team, ada, {}, session, 'mcp', 'DELETE')).status).toBe(204);
    expect((await send(team, ada, rpc('ping'), session)).status).toBe(404);
    const late = await send(team, ada, initialize());
    team.clock.ms += 61 * 60_000;
    expect((await send(team, ada, rpc('ping'), { 'mcp-session-id': late.session ?? '' })).status).toBe(404);
  });

  test('the stateless revision stands alone, and its headers must say what its body says', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const ada = await team.member(org, 'ada', 'reader');
    const found = await alone(team, ada, 'server/discover');
    expect(found.json.result).toMatchObject({ supportedVersions: [VERSION], resultType: 'complete' });
    expect(found.session).toBeNull();
    expect((await call(team, ada, 'memory_projects', {})).json.result).toMatchObject({ structuredContent: { ids: ['web'] } });
    const wrong = [
      await alone(team, ada, 'tools/list', {}, { 'mcp-method': 'tools/call' }),
      await alone(team, ada, 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
      await alone(team, ada, 'tools/call', { name: 'memory_projects' }, { 'mcp-name': 'memory_save' }),
      await send(team, ada, rpc('tools/list'), { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' }),
    ];
    expect(wrong.map(({ status, json }) => [status, json.error?.code])).toEqual(wrong.map(() => [400, -32_020]));
    const encoded = { 'mcp-name': `=?base64?${Buffer.from('memory_projects').toString('base64')}?=` };
    expect((await alone(team, ada, 'tools/call', { name: 'memory_projects' }, encoded)).status).toBe(200);
    expect(await alone(team, ada, 'tasks/none')).toMatchObject({ status: 404, json: { error: { code: -32_601 } } });
    expect(await alone(team, ada, 'subscriptions/listen', { notifications: {} })).toMatchObject({ status: 404 });
  });

  test('no token, a wrong one and pages of other sites are refused', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const ada = await team.member(org, 'ada', 'reader');
    const tokens = ['', 'hf_1_000000000000_00', `${ada.slice(0, -1)}${ada.endsWith('0') ? '1' : '0'}`];
    for (const token of tokens) expect((await send(team, token, initialize())).status).toBe(401);
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
      expect([origin, (await send(team, ada, initialize(), { origin })).status]).toEqual([origin, 403]);
    expect((await send(team, ada, initialize(), { origin: team.url.slice(0, -1) })).status).toBe(200);
    expect((await team.ask(ada, 'POST', 'mcp', 'x'.repeat(9_000_000))).status).toBe(413);
    expect((await send(team, ada, 'no object')).status).toBe(400);
    await team.store.inOrganisation(org, (transaction) => transaction.removeMember('ada', team.clock.ms));
    expect((await send(team, ada, initialize())).status).toBe(401);
    expect(JSON.stringify(team.log)).not.toContain('hf_');
  });

  test('whoever opens many sessions loses their own, and no one else’s', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, eve] = [await team.member(org, 'ada', 'reader'), await team.member(org, 'eve', 'reader')];
    const [mine, first] = [await send(team, ada, initialize()), await send(team, eve, initialize())];
    for (let opened = 0; opened < 50; opened++) await send(team, eve, initialize());
    const ping = async (token: string, { session }: Reply) => (await send(team, token, rpc('ping'), { 'mcp-session-id': session ?? '' })).status;
    expect([await ping(ada, mine), await ping(eve, first)]).toEqual([200, 404]);
  });

  test('what is said to be saved is saved: not under the name of a record that is gone, or that waits', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [rev, wri] = [await team.member(org, 'rev', 'reviewer'), await team.member(org, 'wri', 'writer')];
    const given = { category: 'constraint', title: 'Feeding', text: 'Never feed the flamingo on Fridays', project: 'web' };
    expect(textIn(await call(team, rev, 'memory_save', given))).toBe('created constraint/feeding');
    const [first] = (await team.ask(rev, 'GET', 'v1/projects/web/shared/changes')).json['changes'] as { id: string; hash: string }[];
    const removal = { id: first?.id, hash: 'd'.repeat(64), kind: 'deleted', base: first?.hash, ancestors: [] };
    await team.ask(rev, 'POST', 'v1/projects/web/shared/versions', { versions: [removal] });
    expect(textIn(await call(team, rev, 'memory_save', given))).toBe('created constraint/feeding-2');
    expect(textIn(await call(team, rev, 'memory_search', { query: 'flamingo' }))).toContain('constraint/feeding-2');
    expect(textIn(await call(team, wri, 'memory_save', { ...given, text: 'Never feed the pelican' }))).toContain('proposed constraint/feeding-3');
    expect(textIn(await call(team, wri, 'memory_save', { ...given, text: 'Never feed the walrus' }))).toContain('proposed constraint/feeding-4');
    for (const number of [1, 2]) expect((await team.ask(rev, 'POST', `v1/projects/web/proposals/${number}/accept`, { reason: '' })).status).toBe(200);
    const saving = [1, 2, 3].map((nth) => call(team, rev, 'memory_save', { ...given, title: 'Bathing', text: `Herons bathe ${nth}` }));
    const names = (await Promise.all(saving)).map(textIn).toSorted();
    expect(names).toEqual(['created constraint/bathing', 'created constraint/bathing-2', 'created constraint/bathing-3']);
  });

  test('a message that holds many calls asks no more than its token may', async () => {
    const team = await serveForTest({ limits: { requests: 10, wrongTokens: 10 } });
    const ada = await team.member(await team.organisation('acme'), 'ada', 'reader');
    const begun = await send(team, ada, initialize('2025-03-26'));
    const session = { 'mcp-session-id': begun.session ?? '' };
    const calls = (count: number) => Array.from({ length: count }, (_, nth) => rpc('tools/call', { name: 'memory_projects', arguments: {} }, nth));
    const answers = (await send(team, ada, calls(20), session)).json as unknown as Reply['json'][];
    const refused = answers.filter(({ result }) => result?.['isError'] === true);
    expect([answers.length, refused.length]).toEqual([20, 12]);
    expect(textIn({ status: 200, session: null, json: refused[0] ?? {} })).toContain('Too many requests');
    team.clock.ms += 60_000;
    expect((await send(team, ada, calls(51), session)).status).toBe(413);
  });

  test('tools search, show and save by role: a writer proposes, a reviewer writes, a reader does neither', async () => {
    const team = await serveForTest();
    const [acme, other] = [await team.organisation('acme'), await team.organisation('other')];
    const [rea, wri, rev] = [await team.member(acme, 'rea', 'reader'), await team.member(acme, 'wri', 'writer'), await team.member(acme, 'rev', 'reviewer')];
    const eve = await team.member(other, 'eve', 'admin');
    await team.ask(wri, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord('Use SQLite for the heron cache')] });
    const found = textIn(await call(team, rea, 'memory_search', { query: 'heron cache' }));
    expect(found).toContain('[web] decision/use-sqlite-for-the-heron-cache: Use SQLite for the heron cache');
    expect(textIn(await call(team, rea, 'memory_get', { ids: ['decision/use-sqlite-for-the-heron-cache'], project: 'web' }))).toContain('heron cache');
    expect(textIn(await call(team, rea, 'memory_timeline', { project: 'web' }))).toContain('Use SQLite for the heron cache (active)');
    expect(textIn(await call(team, eve, 'memory_search', { query: 'heron cache' }))).toBe('The team remembers nothing about this.');
    const given = { category: 'constraint', text: 'Never deploy the flamingo on Fridays because nobody is there', project: 'web' };
    expect(textIn(await call(team, rea, 'memory_save', given))).toContain('SECURITY_ERROR: This token may not write.');
    expect(textIn(await call(team, wri, 'memory_save', given))).toMatch(/^proposed constraint\/never-deploy-the-flamingo.* \(proposal 1\)/);
    expect(textIn(await call(team, rea, 'memory_search', { query: 'flamingo' }))).toBe('The team remembers nothing about this.');
    expect((await team.ask(rev, 'POST', 'v1/projects/web/proposals/1/accept', { reason: '' })).status).toBe(200);
    expect(textIn(await call(team, rea, 'memory_search', { query: 'flamingo' }))).toContain('flamingo');
    expect(textIn(await call(team, rev, 'memory_save', { ...given, text: 'Pelicans are not fed at night' }))).toBe(
      'created constraint/pelicans-are-not-fed-at-night',
    );
    expect(textIn(await call(team, rea, 'memory_search', { query: 'pelicans', project: 'web', kind: 'record' }))).toContain('Pelicans are not fed at night');
    const { json } = await call(team, rea, 'memory_get', { ids: ['decision/none'], project: 'web' });
    expect(json.result).toMatchObject({ isError: true });
    const inProject = await send(team, rea, initialize(), {}, 'mcp/web');
    const answer = await send(
      team,
      rea,
      rpc('tools/call', { name: 'memory_timeline', arguments: {} }),
      { 'mcp-session-id': inProject.session ?? '' },
      'mcp/web',
    );
    expect(textIn(answer)).toContain('flamingo');
  });
});
