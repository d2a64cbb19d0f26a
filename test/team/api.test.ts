import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/edges/team/operations.ts';
import { openApiDocument } from '../../src/edges/team/openapi.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { offeredRecord } from './records.ts';
import { serveForTest } from './served.ts';

describe.skipIf(!hasPostgres)('the team server', () => {
  test('says whether it lives and is ready, counts its requests, and logs no contents', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const token = await team.member(org, 'ada', 'writer');
    expect((await team.ask('', 'GET', 'healthz')).json).toEqual({ ok: true });
    expect((await team.ask('', 'GET', 'readyz')).json).toEqual({ ok: true });
    await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord('Heron on the lake')] });
    expect((await team.ask('', 'GET', 'metrics')).json['text']).toMatch(
      /holdfast_requests_total\{method="post",route="\/v1\/projects\/\{project\}\/\{space\}\/versions",status="200"\} 1/,
    );
    expect(team.log).toMatchObject([{ method: 'post', status: 200, org, member: 'ada' }]);
    await team.ask(token, 'GET', 'v1/projects/heronry/records');
    expect(team.log[1]).toMatchObject({ status: 404, org, member: 'ada' });
    expect(JSON.stringify(team.log)).not.toMatch(/heron|hf_/i);
  });

  test('a role opens what it may and nothing above it, and a token no more than its scopes', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const statuses: Record<string, number[]> = {};
    const tokens = {
      reader: await team.member(org, 'rea', 'reader'),
      writer: await team.member(org, 'wri', 'writer'),
      reviewer: await team.member(org, 'rev', 'reviewer'),
      admin: await team.member(org, 'adm', 'admin'),
    };
    for (const [role, token] of [...Object.entries(tokens), ['read-only admin', await team.member(org, 'adn', 'admin', ['read'])]] as [string, string][]) {
      statuses[role] = [
        (await team.ask(token, 'GET', 'v1/projects/web/shared/changes')).status,
        (await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord(`By ${role}`)] })).status,
        (await team.ask(token, 'POST', 'v1/projects/web/proposals/1/accept', { reason: '' })).status,
        (await team.ask(token, 'GET', 'v1/audit')).status,
      ];
    }
    expect(statuses).toEqual({
      reader: [200, 403, 403, 403],
      writer: [200, 200, 403, 403],
      reviewer: [200, 200, 404, 403],
      admin: [200, 200, 404, 200],
      'read-only admin': [200, 403, 403, 403],
    });
  });

  test('a token is stored as a hash, expires, is rotated and revoked; a removed member’s tokens end', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [admin, token] = [await team.member(org, 'adm', 'admin'), await team.member(org, 'ada', 'writer')];
    const me = async (text: string): Promise<number> => (await team.ask(text, 'GET', 'v1/me')).status;
    const stored = await team.store.inOrganisation(org, (transaction) => transaction.tokens());
    expect(JSON.stringify(stored)).not.toContain(token.split('_').at(-1));
    const rotated = (await team.ask(token, 'POST', 'v1/tokens/rotate', { days: 30 })).json['token'] as string;
    expect([await me(token), await me(rotated)]).toEqual([200, 200]);
    team.clock.ms += 11 * 60_000;
    expect([await me(token), await me(rotated)]).toEqual([401, 200]);
    expect((await team.ask(rotated, 'DELETE', `v1/tokens/${rotated.split('_')[2]}`)).status).toBe(200);
    expect(await me(rotated)).toBe(401);
    const other = (await team.ask(admin, 'POST', 'v1/tokens', { member: 'ada', scopes: ['read'], label: 'second', days: 1 })).json['token'] as string;
    expect(await me(other)).toBe(200);
    expect((await team.ask(admin, 'DELETE', 'v1/members/ada')).status).toBe(200);
    expect(await me(other)).toBe(401);
    expect((await team.ask(admin, 'DELETE', 'v1/members/adm')).status).toBe(403);
    team.clock.ms += 31 * 86_400_000;
    expect(await me(admin)).toBe(401);
    const actions = (await team.store.inOrganisation(org, (transaction) => transaction.auditEntries(100))).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['token.issue', 'token.rotate', 'token.revoke', 'member.remove']));
  });

  test('a token that members make from theirs opens no more, ends no later, and is revoked with it', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [reader, admin] = [await team.member(org, 'rea', 'reader'), await team.member(org, 'adm', 'admin')];
    const me = async (text: string): Promise<number> => (await team.ask(text, 'GET', 'v1/me')).status;
    const ends = async (text: string): Promise<unknown> => (await team.ask(text, 'GET', 'v1/me')).json['expires_at'];
    const idOf = (text: string): string => text.split('_')[2] ?? '';
    const make = async (token: string, path: string, body?: object): Promise<string> => {
      const { status, json } = await team.ask(token, 'POST', path, body);
      expect([path, status, json['message']]).toEqual([path, 200, undefined]);
      return String(json['token']);
    };
    const rotated = await make(reader, 'v1/tokens/rotate', { days: 366 });
    const again = await make(rotated, 'v1/tokens/rotate', {});
    const own = await make(again, 'v1/tokens', { scopes: ['read'], label: 'laptop', days: 366 });
    const session = await make(own, 'v1/session');
    expect([await ends(rotated), await ends(again), await ends(own)]).toEqual(
      Array.from({ length: 3 }, () => new Date(team.clock.ms + 30 * 86_400_000).toISOString()),
    );
    expect(await ends(session)).toBe(new Date(team.clock.ms + 86_400_000).toISOString());
    expect((await team.ask(session, 'POST', 'v1/tokens', { scopes: ['read', 'write'], label: 'more', days: 1 })).status).toBe(403);
    expect((await team.ask(session, 'POST', 'v1/tokens', { member: 'adm', scopes: ['read'], label: 'theirs', days: 1 })).status).toBe(403);
    // What an admin makes is not tied to the admin's token.
    const fromAdmin = await make(admin, 'v1/tokens', { member: 'rea', scopes: ['read'], label: 'second', days: 90 });
    expect(await ends(fromAdmin)).toBe(new Date(team.clock.ms + 90 * 86_400_000).toISOString());
    // A session that ends leaves what it was made from; what was found on a lost machine takes all along that came of it.
    expect((await team.ask(session, 'DELETE', `v1/tokens/${idOf(session)}`)).status).toBe(200);
    expect([await me(session), await me(own)]).toEqual([401, 200]);
    team.clock.ms += 11 * 60_000;
    expect([await me(reader), await me(again), await me(own)]).toEqual([401, 200, 200]);
    expect((await team.ask(admin, 'DELETE', `v1/tokens/${idOf(reader)}`)).status).toBe(200);
    expect([await me(rotated), await me(again), await me(own), await me(fromAdmin), await me(admin)]).toEqual([401, 401, 401, 200, 200]);
  });

  test('a renewed token loses what its member may no longer do', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const token = await team.member(org, 'ada', 'writer');
    await team.store.inOrganisation(org, (transaction) => transaction.putMember({ member: 'ada', name: 'Ada', role: 'reader' }));
    const { json } = await team.ask(token, 'POST', 'v1/tokens/rotate', {});
    expect((await team.ask(String(json['token']), 'GET', 'v1/me')).json['scopes']).toEqual(['read']);
  });

  test('a token without the right to review waits for review, whoever it belongs to; a project that is named again keeps its rule', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [admin, machine] = [await team.member(org, 'adm', 'admin'), await team.member(org, 'adm', 'admin', ['read', 'write'])];
    expect((await team.ask(admin, 'PATCH', 'v1/projects/web', { review: true })).status).toBe(200);
    expect((await team.ask(admin, 'POST', 'v1/projects', { key: 'web' })).json).toEqual({ key: 'web', review: true });
    const offer = async (token: string, title: string) =>
      ((await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord(title)] })).json['outcomes'] as { state: string }[])[0]
        ?.state;
    expect([await offer(machine, 'By a machine'), await offer(admin, 'By an admin')]).toEqual(['proposed', 'accepted']);
  });

  test('reads a body only for who may send it, and tells only admins who a member is elsewhere', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [reader, admin] = [await team.member(org, 'rea', 'reader'), await team.member(org, 'adm', 'admin')];
    const forged = `hf_${org}_${'0'.repeat(12)}_${'0'.repeat(64)}`;
    const post = (token: string) =>
      fetch(new URL('v1/projects/web/shared/versions', team.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: 'no JSON',
      }).then(({ status }) => status);
    expect([await post(forged), await post(reader), await post(admin)]).toEqual([401, 403, 400]);
    await team.ask(admin, 'PUT', 'v1/members', { member: 'bo', name: 'Bo', role: 'reader', subject: 'bo@issuer' });
    const subjects = async (token: string): Promise<boolean> => JSON.stringify((await team.ask(token, 'GET', 'v1/members')).json).includes('bo@issuer');
    expect([await subjects(reader), await subjects(admin)]).toEqual([false, true]);
  });

  test('limits how much and how large, and refuses what unpacks to more', async () => {
    const team = await serveForTest({ limits: { requests: 5, wrongTokens: 3 } });
    const org = await team.organisation('acme');
    const token = await team.member(org, 'ada', 'writer');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = (body: Buffer, encoding?: string) =>
      fetch(new URL('v1/projects/web/shared/versions', team.url), {
        method: 'POST',
        headers: { ...headers, ...(encoding && { 'content-encoding': encoding }) },
        body: new Uint8Array(body),
      });
    expect((await post(gzipSync(Buffer.alloc(40_000_000, 32)), 'gzip')).status).toBe(413);
    expect((await post(Buffer.alloc(9_000_000, 32))).status).toBe(413);
    expect((await post(Buffer.from('not gzip'), 'gzip')).status).toBe(413);
    for (let asked = 0; asked < 2; asked++) expect((await team.ask(token, 'GET', 'v1/me')).status).toBe(200);
    expect((await team.ask(token, 'GET', 'v1/me')).status).toBe(429);
    const wrong = [];
    for (let tried = 0; tried < 5; tried++) wrong.push((await team.ask('hf_1_000000000000_00', 'GET', 'v1/me')).status);
    expect(wrong).toEqual([401, 401, 401, 429, 429]);
  });

  test('takes no record that a machine would not take, and none with a secret', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const token = await team.member(org, 'ada', 'writer');
    const good = offeredRecord('Use SQLite');
    const versions = [
      { ...offeredRecord('Other hash'), hash: 'a'.repeat(64) },
      { ...offeredRecord('Other id'), id: 'b'.repeat(64) },
      offeredRecord('Climbs', '../../etc/decisions/x.md'),
      offeredRecord('Climbs on Windows', 'context\\..\\..\\x.md'),
      offeredRecord('A view', '_index.md'),
      offeredRecord(`Token ${['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')}`),
      { ...good, body: 'no JSON' },
    ];
    const { json } = await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions });
    expect((json['outcomes'] as { state: string }[]).map(({ state }) => state)).toEqual(versions.map(() => 'refused'));
    expect((await team.ask(token, 'POST', 'v1/projects/web/private/versions', { versions: [good] })).json['outcomes']).toMatchObject([
      { state: 'refused', message: 'private records travel sealed only' },
    ]);
    expect((await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [{ ...good, more: 1 }] })).status).toBe(400);
  });

  test('its OpenAPI document names every operation, and every answer is as the document says', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const token = await team.member(org, 'adm', 'admin');
    const document = openApiDocument('test') as { paths: Record<string, Record<string, { operationId: string; responses: object }>> };
    expect((await team.ask('', 'GET', 'openapi.json')).json).toEqual(JSON.parse(JSON.stringify(document)));
    expect(
      Object.entries(document.paths)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
        .toSorted(),
    ).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).toSorted());
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(OPERATIONS.length);
    const version = offeredRecord('Use SQLite');
    await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [version], propose: true });
    const lines = [{ session: { sessionId: 's1', client: 'codex' } }, { id: 'm1', sessionId: 's1', role: 'user', text: 'Why SQLite?' }];
    await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord('First')] });
    const first = (await team.ask(token, 'GET', 'v1/projects/web/record?id=decision/first')).json as { readonly text: string; readonly hash: string };
    const bodies: Record<string, unknown> = {
      'post /v1/projects/{project}/conversations/wanted': { conversations: [{ id: 's1', digest: version.hash }] },
      'post /v1/projects/{project}/conversations': { conversations: [{ text: lines.map((line) => JSON.stringify(line)).join('\n') }] },
      'post /v1/projects/{project}/{space}/versions': { versions: [offeredRecord('Another')] },
      'post /v1/projects/{project}/record': { id: 'decision/first', text: first.text.replace('# First', '# First of all'), hash: first.hash },
      'post /v1/projects/{project}/proposals/{number}/reject': { reason: 'no' },
      'post /v1/projects': { key: 'shop' },
      'patch /v1/projects/{project}': { review: true },
      'put /v1/members': { member: 'bo', name: 'Bo', role: 'reader' },
      'post /v1/tokens': { member: 'adm', scopes: ['read'], label: 'bo', days: 1 },
      'post /v1/tokens/rotate': {},
    };
    const queries: Record<string, string> = {
      'get /v1/search': '?query=sqlite',
      'get /v1/projects/{project}/record': '?id=decision/first',
      'get /v1/projects/{project}/record/versions': '?id=decision/first',
    };
    const params: Record<string, string> = { project: 'web', space: 'shared', id: version.id, hash: version.hash, number: '1', member: 'bo', session: 's1' };
    for (const { method, path, answer } of OPERATIONS) {
      if (path.endsWith('/accept') || path === '/v1/tokens/{id}') continue;
      const asked = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '').slice(1) + (queries[`${method} ${path}`] ?? '');
      const { status, json } = await team.ask(token, method.toUpperCase(), asked, bodies[`${method} ${path}`]);
      expect([path, status, answer.safeParse(json).error?.issues]).toEqual([path, 200, undefined]);
    }
  });
});
