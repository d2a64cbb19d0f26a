import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ViewHost } from '../../src/edges/http/host.ts';
import { pageRoutes } from '../../src/edges/http/routes.ts';
import { lastingProgram } from '../edges/cli/program.ts';
import { type StartedPage, startPage } from './page.ts';

/** The page's answers without a server: a machine on which reading the list of projects fails. */
function brokenPage() {
  const [warned, calls] = [[] as string[], { used: 0, knocked: 0 }];
  const host = {
    version: '',
    home: '',
    actor: 'page',
    projects: () => {
      throw new TypeError('secret detail at /home/somebody/file.ts:12:34');
    },
    readFiles: () => ({ script: '', style: '' }),
    randomKey: () => 'nonce',
    warn: (line: string) => void warned.push(line),
  } as unknown as ViewHost;
  const { app } = pageRoutes(host, {
    keys: { token: 'token', knock: 'knock' },
    port: () => 80,
    onUse: () => (calls.used += 1),
    onKnock: () => (calls.knocked += 1),
  });
  const ask = (at: string, init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {}) =>
    app.request(`http://127.0.0.1:80${at}`, { ...init, headers: { host: '127.0.0.1:80', authorization: 'Bearer token', ...init.headers } });
  return { ask, warned, calls };
}

describe('an answer that fails', () => {
  test('says so without a stack, a path or the reason; the terminal gets the reason', async () => {
    const { ask, warned } = brokenPage();
    const answer = await ask('/api/home?project=x');
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: 'INTERNAL', message: 'The server failed. The terminal where it runs shows why.' });
    expect(warned).toEqual([expect.stringContaining('secret detail')]);
  });
});

describe('what counts as use', () => {
  test('a question of a person does; that the page asks by itself whether something has changed does not', async () => {
    const { ask, calls } = brokenPage();
    await ask('/api/changes?project=x');
    await ask('/');
    expect(calls.used).toBe(0);
    await ask('/api/overview');
    expect(calls.used).toBe(1);
  });
});

describe('a knock', () => {
  const post = (headers: Readonly<Record<string, string>>) => ({ method: 'POST', headers });

  test('is heard from a second start, which knows the note, and from no browser', async () => {
    const { ask, calls } = brokenPage();
    expect((await ask('/knock', post({ 'x-holdfast-write': 'knock', origin: 'http://127.0.0.1:80' }))).status).toBe(403);
    expect((await ask('/knock', post({ 'x-holdfast-write': 'token' }))).status).toBe(403);
    expect(calls.knocked).toBe(0);
    expect((await ask('/knock', post({ 'x-holdfast-write': 'knock' }))).status).toBe(200);
    expect(calls.knocked).toBe(1);
  });
});

describe.skipIf(process.platform !== 'linux')('the address', () => {
  const cli = lastingProgram();
  let page: StartedPage;
  beforeAll(async () => void (page = await startPage(cli.home, cli.project)));
  afterAll(() => page.end());

  const reached = (host: string): Promise<string> =>
    new Promise((resolve) => {
      const call = request({ host, port: page.port, path: '/' }, (response) => {
        const { address } = response.socket.address() as AddressInfo;
        response.resume();
        resolve(address);
      });
      call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      call.end();
    });

  test('is 127.0.0.1 alone: every other one of this machine is refused', async () => {
    expect(await reached('127.0.0.1')).toBe('127.0.0.1');
    expect(await reached('127.0.0.2')).toBe('ECONNREFUSED');
  });
});
