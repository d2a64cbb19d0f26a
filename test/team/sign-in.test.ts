import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { oidcSignIn } from '../../src/adapters/team/oidc.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { type Forgery, startIssuer } from './issuer.ts';
import { serveForTest } from './served.ts';

describe.skipIf(!hasPostgres)('signing in at an OpenID Connect issuer', () => {
  test('gives a member a token; strangers, other browsers, forged and replayed answers get none', async () => {
    const issuer = await startIssuer();
    const signIn = oidcSignIn({ issuer: issuer.url, clientId: 'holdfast', redirectUri: 'http://localhost/sign-in/callback' }, Date.now);
    const team = await serveForTest({ signIn });
    const org = await team.organisation('acme');
    await team.store.inOrganisation(org, (transaction) => transaction.putMember({ member: 'ada', name: 'Ada', role: 'reviewer', subject: 'subject-1' }));
    const begin = async (organisation = 'acme') => {
      const response = await fetch(new URL(`sign-in/${organisation}`, team.url), { redirect: 'manual' });
      const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      expect(response.headers.get('set-cookie')).toMatch(/HttpOnly/);
      return { cookie, ...issuer.code(response.headers.get('location') ?? '') };
    };
    const back = async ({ cookie, code, state }: { cookie: string; code: string; state: string }) => {
      const response = await fetch(new URL(`sign-in/callback?${new URLSearchParams({ code, state }).toString()}`, team.url), { headers: { cookie } });
      return { status: response.status, token: /hf_\d+_[0-9a-f]+_[0-9a-f]+/.exec(await response.text())?.[0] };
    };
    const answer = await begin();
    const { status, token = '' } = await back(answer);
    expect(status).toBe(200);
    expect((await team.ask(token, 'GET', 'v1/me')).json).toMatchObject({
      organisation: 'acme',
      member: { member: 'ada' },
      scopes: ['read', 'write', 'review'],
    });
    expect(await back(answer)).toEqual({ status: 403, token: undefined });
    expect(await back({ ...(await begin()), cookie: '' })).toEqual({ status: 400, token: undefined });
    const [mine, theirs] = [await begin(), await begin()];
    expect(await back({ ...theirs, cookie: mine.cookie })).toEqual({ status: 400, token: undefined });
    const forgeries: Forgery[] = [{ nonce: 'another' }, { audience: 'another' }, { issuer: 'http://another' }, { otherKey: true }, { expired: true }];
    for (const forgery of forgeries) {
      issuer.forgery = forgery;
      expect([forgery, await back(await begin())]).toEqual([forgery, { status: 403, token: undefined }]);
    }
    issuer.forgery = {};
    expect((await back(await begin('other'))).status).toBe(403);
    issuer.subject = 'a stranger';
    expect((await back(await begin())).status).toBe(403);
    const entries = await team.store.inOrganisation(org, (transaction) => transaction.auditEntries(10));
    expect(entries.filter(({ action }) => action === 'sign-in')).toHaveLength(1);
  });

  test('keeps its cookie from other hosts of the domain, and lets one visitor keep nobody else out', async () => {
    const issuer = await startIssuer();
    const signIn = oidcSignIn({ issuer: issuer.url, clientId: 'holdfast', redirectUri: 'https://memory.example/sign-in/callback' }, Date.now);
    const team = await serveForTest({ signIn, isSecure: true, limits: { requests: 10, wrongTokens: 3 } });
    const begin = (localAddress: string): Promise<{ readonly status: number; readonly cookie: string }> =>
      new Promise((resolve, reject) => {
        http
          .get(new URL('sign-in/acme', team.url), { localAddress }, (answer) => {
            answer.resume();
            resolve({ status: answer.statusCode ?? 0, cookie: String(answer.headers['set-cookie'] ?? '') });
          })
          .on('error', reject);
      });
    const first = await begin('127.0.0.1');
    expect(first.cookie).toMatch(/^__Host-holdfast-sign-in=/);
    expect(first.cookie).toMatch(/Path=\/;.*HttpOnly.*Secure/);
    expect([(await begin('127.0.0.1')).status, (await begin('127.0.0.1')).status, (await begin('127.0.0.1')).status]).toEqual([302, 302, 429]);
    if (process.platform === 'linux') expect((await begin('127.0.0.2')).status).toBe(302);
  });
});
