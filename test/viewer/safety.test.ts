import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAllowedHost, isOwnOrigin } from '../../src/edges/http/guard.ts';
import type { RunningPage, ViewHost } from '../../src/edges/http/host.ts';
import { serveView } from '../../src/edges/http/server.ts';
import { lastingProgram, PROGRAM } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { type StartedPage, startPage } from './page.ts';

const cli = lastingProgram();
let page: StartedPage;
let saved: { readonly id: string; readonly file: string };

beforeAll(async () => {
  saved = cli.ask('save', 'decision', 'Use SQLite because it needs no server') as unknown as typeof saved;
  page = await startPage(cli.home, cli.project);
});
afterAll(() => page.end());

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends just these headers: `fetch` would not send a foreign Host. */
const send = (at: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: page.port, path: at, method, headers: { ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    call.on('error', reject);
    call.end(body);
  });

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${page.token}` });
const write = (): Record<string, string> => ({ ...bearer(), origin: page.origin, 'x-holdfast-write': '1', 'content-type': 'application/json' });
const retire = (): string => JSON.stringify({ project: 'webshop', id: saved.id, to: 'retire' });
const recordText = (): string => fs.readFileSync(saved.file, 'utf8');

describe('what may ask', () => {
  test('the page itself, with its key', async () => {
    const { status, text } = await send('/api/overview', { headers: bearer() });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ here: 'webshop', isPerson: true });
  });

  test.each([
    ['no key', () => ({})],
    ['an empty key', () => ({ authorization: 'Bearer ' })],
    ['the key of an earlier start', () => ({ authorization: `Bearer ${'A'.repeat(43)}` })],
    ['the key in another header', () => ({ 'x-holdfast-write': page.token })],
  ])('%s: 401, and nothing of the memory', async (_, headers) => {
    const { status, text } = await send('/api/overview', { headers: headers() });
    expect(status).toBe(401);
    expect(text).not.toContain('webshop');
  });

  test.each(['example.org', 'example.org:80', 'localhost.example.org', '127.0.0.1.nip.io', '127.0.0.1', '127.0.0.1:1', '[::1]', 'LOCALHOST'])(
    'a foreign Host (DNS rebinding): %s is refused even with the key, and gets no page',
    async (host) => {
      for (const at of ['/', '/view.js', '/api/overview']) {
        const { status, text } = await send(at, { headers: { ...bearer(), host } });
        expect(status).toBe(403);
        expect(text).not.toMatch(/webshop|<html/);
      }
    },
  );

  test('another site’s script, by what the browser says of it', async () => {
    expect((await send('/api/overview', { headers: { ...bearer(), 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await send('/api/overview', { headers: { ...bearer(), 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
  });

  test('no preflight is answered with a permission', async () => {
    const { headers } = await send('/api/move', { method: 'OPTIONS', headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('what may change something', () => {
  const without = (name: string): Record<string, string> => Object.fromEntries(Object.entries(write()).filter(([key]) => key !== name));

  test.each([
    ['without the key', () => without('authorization'), 401],
    ['without an Origin', () => without('origin'), 403],
    ['without the header of the page', () => without('x-holdfast-write'), 403],
    ['as a form would send it', () => ({ ...write(), 'content-type': 'text/plain' }), 403],
    ['from another site', () => ({ ...write(), origin: 'https://example.org' }), 403],
    ['from another port of this machine', () => ({ ...write(), origin: 'http://127.0.0.1:1' }), 403],
    ['from a page in a sandbox', () => ({ ...write(), origin: 'null' }), 403],
    ['by a foreign Host', () => ({ ...write(), host: 'example.org' }), 403],
  ])('%s: refused, and nothing is written', async (_, headers, expected) => {
    const before = recordText();
    expect((await send('/api/move', { method: 'POST', headers: headers(), body: retire() })).status).toBe(expected);
    expect(recordText()).toBe(before);
  });

  test('the page itself; what it did can be undone', async () => {
    const before = recordText();
    const done = await send('/api/move', { method: 'POST', headers: write(), body: retire() });
    expect(done.status).toBe(200);
    expect(recordText()).toContain('record_status: retired');
    const { undo } = JSON.parse(done.text) as { undo: unknown };
    expect((await send('/api/undo', { method: 'POST', headers: write(), body: JSON.stringify({ project: 'webshop', step: undo }) })).status).toBe(200);
    expect(recordText()).toBe(before);
  });

  test.each(['', 'null', '[]', '{"a":', '{"project":"webshop"}', '{"project":"../..","id":"x","to":"retire"}', '{"project":"webshop","id":"x","to":"erase"}'])(
    'nonsense is refused in words: %j',
    async (body) => {
      const { status, text } = await send('/api/move', { method: 'POST', headers: write(), body });
      expect([404, 422]).toContain(status);
      expect(JSON.parse(text)).toMatchObject({ message: expect.stringMatching(/\S/) });
      expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
    },
  );
});

describe('what the browser is told', () => {
  test('only what carries the nonce of this answer runs, and no page may frame it', async () => {
    const [one, two] = [await send('/'), await send('/')];
    const policy = String(one.headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src-attr 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const nonce = /script-src 'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? '';
    expect(one.text).toContain(`nonce="${nonce}"`);
    expect(two.text).not.toContain(nonce);
    expect(one.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  });

  test('nothing of the key, the memory or the machine stands in what needs no key', async () => {
    for (const at of ['/', '/view.js', '/view.css', '/icon.svg', '/nothing', '/../package.json', '/%2e%2e/package.json'])
      expect((await send(at)).text).not.toMatch(new RegExp(`${page.token}|webshop|"dependencies"`));
  });
});

describe('one page a home', () => {
  test('the note of where it runs is its owner’s alone and does not hold the key', () => {
    const note = path.join(cli.home, 'holdfast/view.json');
    expect(fs.statSync(note).mode & 0o077).toBe(0);
    expect(fs.readFileSync(note, 'utf8')).not.toContain(page.token);
  });

  test('a second start finds the first and ends', () => {
    const { code, out } = cli.run('view', '--no-open');
    expect(code).toBe(0);
    expect(out).toContain(`on port ${page.port}`);
    expect(out).not.toContain(page.token);
  });

  test('only whoever read the note can ask for that', async () => {
    expect((await send('/knock', { method: 'POST', headers: { 'x-holdfast-write': 'x' } })).status).toBe(403);
  });

  test('an agent’s shell cannot confirm a record through a page that it starts', async () => {
    const other = lastingAgent();
    const own = await startPage(other.home, other.project, { env: { CLAUDECODE: '1' } });
    try {
      const answer = await fetch(`${own.origin}/api/move`, {
        method: 'POST',
        headers: { authorization: `Bearer ${own.token}`, origin: own.origin, 'x-holdfast-write': '1', 'content-type': 'application/json' },
        body: JSON.stringify({ project: 'webshop', id: other.id, to: 'confirm' }),
      });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: 'SECURITY_ERROR' });
    } finally {
      await own.end();
    }
  });

  test.each(['SIGINT', 'SIGHUP'] as const)('it ends with Ctrl-C and with its terminal, and leaves no note: %s', async (signal) => {
    const other = lastingAgent();
    const own = await startPage(other.home, other.project);
    expect(await own.end(signal)).toBe(0);
    expect(fs.existsSync(path.join(other.home, 'holdfast/view.json'))).toBe(false);
  });

  test.skipIf(!fs.existsSync('/dev/full'))('it ends and leaves no note if it cannot print its link', async () => {
    const other = lastingAgent();
    const full = fs.openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [PROGRAM, '--home', other.home, 'view', '--no-open'], { cwd: other.project, stdio: ['ignore', full, 'pipe'] });
    fs.closeSync(full);
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(5);
    expect(fs.existsSync(path.join(other.home, 'holdfast/view.json'))).toBe(false);
  });

  test.skipIf(process.platform !== 'linux' || !fs.existsSync('/usr/bin/script')).each([0, 2])(
    'it ends with a real terminal that closes after %i lines, leaves no note, and does not crash',
    async (last) => {
      const other = lastingAgent();
      const errors = path.join(other.home, 'errors.txt');
      const command = `${process.execPath} ${PROGRAM} --home ${other.home} view --no-open 2>${errors}`;
      const terminal = spawn('/usr/bin/script', ['-qfc', command, '/dev/null'], { cwd: other.project, stdio: ['pipe', 'pipe', 'inherit'] });
      // Ctrl-S: the terminal takes no output, so the first line is still being written when it closes.
      if (last === 0) terminal.stdin.write('\u0013');
      const lines = createInterface({ input: terminal.stdout })[Symbol.asyncIterator]();
      for (const text of ['#key=', 'Ctrl-C'].slice(0, last)) expect((await lines.next()).value).toContain(text);
      await expect.poll(() => fs.existsSync(path.join(other.home, 'holdfast/view.json')), PATIENCE).toBe(true);
      const { pid } = JSON.parse(fs.readFileSync(path.join(other.home, 'holdfast/view.json'), 'utf8')) as RunningPage;
      terminal.kill('SIGKILL');
      await expect.poll(() => fs.existsSync(`/proc/${pid}`), PATIENCE).toBe(false);
      expect(fs.existsSync(path.join(other.home, 'holdfast/view.json'))).toBe(false);
      expect(fs.readFileSync(errors, 'utf8')).toBe('');
    },
  );

  test('it ends when nobody has used it for so long, and says so', async () => {
    const output: string[] = [];
    let claimed: RunningPage | undefined;
    const host = {
      version: '',
      home: '',
      actor: 'page',
      projects: () => [],
      readFiles: () => ({ script: '', style: '' }),
      running: () => claimed,
      claim: (own: RunningPage) => (claimed = own) === own,
      release: () => (claimed = undefined),
      openBrowser: () => false,
      randomKey: () => 'key',
      say: (line: string) => output.push(line),
    } as unknown as ViewHost;
    expect(await serveView(host, { port: 0, opens: false, idleMinutes: 0.001, json: false })).toMatchObject({ ok: true });
    expect(output.at(-1)).toMatch(/^Ended: no one used the page/);
    expect(claimed).toBeUndefined();
  });
});

/** Another home, with one record. */
function lastingAgent() {
  const home = path.join(cli.folder, `home-${Math.random().toString(36).slice(2)}`);
  const own = cli.ask('save', 'decision', 'Keep it simple because less breaks', '--home', home);
  return { home, project: cli.project, id: String(own['id']) };
}

describe('the names that the page answers to', () => {
  test('are the two of loopback with its own port', () => {
    expect(['127.0.0.1:80', 'localhost:80', 'LocalHost:80'].map((host) => isAllowedHost(host, 80))).toEqual([true, true, true]);
    expect([undefined, '', '127.0.0.1', '127.0.0.1:81', '127.0.0.1:80.example.org', 'x@127.0.0.1:80'].map((host) => isAllowedHost(host, 80))).toEqual(
      Array(6).fill(false),
    );
    expect([undefined, 'null', 'https://127.0.0.1:80', 'http://127.0.0.1:81', 'http://127.0.0.1:80/'].map((origin) => isOwnOrigin(origin, 80))).toEqual(
      Array(5).fill(false),
    );
  });
});
