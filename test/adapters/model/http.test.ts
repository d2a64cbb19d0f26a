import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressOf, checkedKey } from '../../../src/adapters/model/http/address.ts';
import { callJson, type RetryPolicy } from '../../../src/adapters/model/http/json.ts';
import { waitOf } from '../../../src/adapters/model/http/send.ts';
import { PATIENCE } from '../../patience.ts';
import { KEY, loopback, retryPolicy, type Reply } from './loopback.ts';

const call = (url: string, more: Partial<RetryPolicy> = {}) =>
  callJson({ setting: 'model', method: 'POST', url: new URL(url), headers: { 'x-api-key': KEY }, body: { a: 1 }, key: KEY }, { ...retryPolicy, ...more });

const answering = (...replies: Reply[]) => loopback((_seen, before) => replies[Math.min(before, replies.length - 1)] as Reply);

const OK: Reply = { json: { fine: true } };

describe('what passes is tried again', () => {
  it.each<[string, Reply[]]>([
    ['429 with Retry-After', [{ status: 429, headers: { 'retry-after': '0' } }, OK]],
    ['429 with retry-after-ms', [{ status: 429, headers: { 'retry-after-ms': '10' } }, OK]],
    ['a 500 and an overload', [{ status: 500 }, { status: 529 }, OK]],
    ['a connection that is cut before the answer', [{ cut: 'before' }, OK]],
    ['a connection that is cut in the middle of it', [{ cut: 'middle', json: { long: 'x'.repeat(5000) } }, OK]],
  ])('%s', async (_what, replies) => {
    const server = await answering(...replies);
    expect(await call(server.url)).toEqual({ ok: true, value: { fine: true } });
    expect(server.seen).toHaveLength(replies.length);
  });

  it('waits as long as it is asked to', async () => {
    const server = await answering({ status: 429, headers: { 'retry-after': '1' } }, OK);
    const began = performance.now();
    expect((await call(server.url)).ok).toBe(true);
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
  });

  it('waits longer each time', async () => {
    const times: number[] = [];
    const server = await loopback(() => {
      times.push(performance.now());
      return { status: 503 };
    });
    expect(await call(server.url, { firstPauseMs: 60 })).toMatchObject({
      ok: false,
      error: { status: 503, message: expect.stringContaining('after 4 tries') as string },
    });
    expect(times).toHaveLength(4);
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(40);
    expect(third - second).toBeGreaterThanOrEqual(80);
    expect(fourth - third).toBeGreaterThanOrEqual(170);
  });

  it('but not when it is asked to wait longer than the call may take', async () => {
    const server = await answering({ status: 429, headers: { 'retry-after': '3600' }, json: { error: { message: 'slow down' } } });
    expect(await call(server.url)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('slow down') as string, hint: 'try again in 3600 s' },
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('what does not pass is refused at once', () => {
  it.each<[string, Reply, object]>([
    ['broken JSON', { text: '{"half": ' }, { maybeSpent: true, message: expect.stringContaining('not JSON') as string }],
    ['JSON that is not an object', { json: [1, 2] }, { maybeSpent: true, message: expect.stringContaining('not an object') as string }],
    ['a bad request', { status: 400, json: { error: 'unknown field' } }, { status: 400, message: expect.stringContaining('unknown field') as string }],
    ['an unknown model', { status: 404, json: { error: { message: 'no such model' } } }, { hint: expect.stringContaining('model.name') as string }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } }, { message: expect.stringContaining('redirect') as string }],
    [
      'a huge body that says so',
      { text: 'x', headers: { 'content-length': '100000000' } },
      { message: expect.stringContaining('larger than 100000 bytes') as string },
    ],
    ['a huge body that does not', { text: JSON.stringify('x'.repeat(300_000)) }, { message: expect.stringContaining('larger than 100000 bytes') as string }],
  ])('%s', async (_what, reply, error) => {
    const server = await answering(reply);
    expect(await call(server.url)).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', ...error } });
    expect(server.seen).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['before it begins', { delayMs: PATIENCE.timeout, ...OK }],
    ['in the middle of it', { cut: 'never', ...OK }],
  ])('an answer that takes too long %s', async (_when, reply) => {
    const slow = await answering(reply);
    // On a busy machine the request may not have arrived within the first of these.
    for (const timeoutMs of [200, 5_000, 30_000]) {
      expect(await call(slow.url, { timeoutMs })).toMatchObject({
        ok: false,
        error: { code: 'MODEL_ERROR', maybeSpent: true, message: expect.stringContaining(`within ${timeoutMs / 1000} s`) as string },
      });
      if (slow.seen.length > 0) break;
    }
    expect(slow.seen).toHaveLength(1);
  });

  it('a machine where nothing listens, which costs nothing', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const answer = await call(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', message: expect.stringContaining('ECONNREFUSED') as string } });
    expect(answer).not.toMatchObject({ error: { maybeSpent: true } });
  });
});

describe('the key', () => {
  it.each([401, 403])('is in no message, though the server repeats it (%i)', async (status) => {
    const server = await answering({ status, json: { error: { message: `Incorrect API key provided: ${KEY}` } } });
    const answer = await call(server.url);
    expect(answer).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', hint: expect.stringContaining('model.keyVariable') as string } });
    expect(JSON.stringify(answer)).not.toContain(KEY.slice(3));
  });

  it('is taken out of whatever else a server says', async () => {
    const server = await answering({ status: 422, text: `bad header x-api-key=${KEY} and password=hunter2hunter2` });
    const answer = await call(server.url);
    expect(JSON.stringify(answer)).toContain('bad header');
    expect(JSON.stringify(answer)).not.toMatch(/4f8b1c9d|hunter2hunter2/);
  });

  it('is taken out also when nothing else would know it for one', async () => {
    const server = await answering({ status: 422, text: 'the words opensesame are not known here' });
    const url = new URL(server.url);
    const answer = await callJson({ setting: 'model', method: 'POST', url, headers: { 'x-api-key': 'opensesame' }, body: {}, key: 'opensesame' }, retryPolicy);
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('the words [key] are not known here') as string } });
  });

  it('goes to no other address', async () => {
    const other = await answering(OK);
    const server = await answering({ status: 307, headers: { location: `${other.url}/steal` } });
    expect((await call(server.url)).ok).toBe(false);
    expect(other.seen).toHaveLength(0);
  });

  it('travels encrypted or stays on this machine', () => {
    const address = (endpoint: string, key?: string) => addressOf({ setting: 'model', endpoint, base: 'https://base.example', path: 'v1/x', key }).ok;
    expect(address('http://example.org', KEY)).toBe(false);
    expect(address('http://example.org')).toBe(true);
    for (const endpoint of ['https://example.org', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) expect(address(endpoint, KEY)).toBe(true);
  });

  it('that would break its header is refused without being shown', () => {
    const checked = checkedKey('embed', `${KEY}\nX-Other: 1`);
    expect(checked).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', message: expect.stringContaining('embed.keyVariable') as string } });
    expect(JSON.stringify(checked)).not.toContain(KEY);
    expect(checkedKey('model', ` ${KEY}\n`)).toEqual({ ok: true, value: KEY });
    expect(checkedKey('model', '  ')).toEqual({ ok: true, value: undefined });
  });
});

describe('an endpoint', () => {
  it.each([
    ['not a url', 'is not a URL'],
    ['ftp://example.org', 'must begin with https://'],
    ['https://someone:secret@example.org', 'holds a user name or a password'],
  ])('%s is refused, and no secret is repeated', (endpoint, message) => {
    const address = addressOf({ setting: 'embed', endpoint, base: 'https://base.example/v1', path: 'embeddings' });
    expect(address).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', message: expect.stringContaining(message) as string } });
    expect(JSON.stringify(address)).not.toContain('secret');
  });

  it.each([
    ['', 'https://base.example/v1/embeddings'],
    ['https://a.example/', 'https://a.example/embeddings'],
    ['https://a.example/v1/', 'https://a.example/v1/embeddings'],
    ['https://a.example/v1/embeddings', 'https://a.example/v1/embeddings'],
    ['https://a.example/proxy/openai?region=eu', 'https://a.example/proxy/openai/embeddings?region=eu'],
  ])('%j leads to %s', (endpoint, wanted) => {
    const address = addressOf({ setting: 'embed', endpoint, base: 'https://base.example/v1', path: 'embeddings' });
    expect(address.ok && address.value.href).toBe(wanted);
  });
});

describe('how long to wait', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after-ms': '150', 'retry-after': '9' }, 150],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers, wanted) => {
    expect(waitOf(new Headers(headers), now)).toBe(wanted);
  });
});
