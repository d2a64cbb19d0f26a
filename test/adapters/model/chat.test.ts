import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/core/ports/model.ts';
import { KEY, loopback, retryPolicy } from './loopback.ts';
import { PROTOCOLS } from './protocols.ts';

const REQUEST: ModelRequest = { model: 'some-model', system: 'Be brief.', prompt: 'Say hello.', maxTokens: 300, json: true };

describe.each(PROTOCOLS)('a model over $name', ({ name, path, open, says }) => {
  it('is asked at its path, with key and limits, and answers with text and usage', async () => {
    const server = await loopback(() => ({ json: says('{"hello": 1}', 21, 7) }));
    const answer = await open({ endpoint: server.url, key: KEY, retryPolicy }).complete(REQUEST);
    expect(answer).toEqual({ ok: true, value: { text: '{"hello": 1}', usage: { input: 21, output: 7 } } });
    expect(server.seen).toHaveLength(1);
    const [{ method, path: requestPath, headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect([method, requestPath]).toEqual(['POST', path]);
    expect(body).toMatchObject({ model: 'some-model' });
    expect(JSON.stringify(body)).toContain('Be brief.');
    expect(JSON.stringify(body)).toContain('Say hello.');
    expect(JSON.stringify(body)).toContain(':300');
    expect(JSON.stringify(body)).not.toContain(KEY);
    expect(headers[name === 'anthropic' ? 'x-api-key' : 'authorization']).toBe(name === 'anthropic' ? KEY : `Bearer ${KEY}`);
  });

  it('says when its answer was cut, and guesses the usage that it is not told', async () => {
    const server = await loopback(() => ({ json: { ...says('half', 1, 1, true), usage: undefined, prompt_eval_count: undefined } }));
    const answer = await open({ endpoint: server.url, retryPolicy }).complete(REQUEST);
    expect(answer).toMatchObject({ ok: true, value: { text: 'half', cut: true, usage: { estimated: true, output: 2 } } });
  });

  it('takes an endpoint with or without the path of the protocol', async () => {
    const server = await loopback(() => ({ json: says('x') }));
    const steps = path.split('/').slice(1);
    for (let count = 0; count <= steps.length; count++) {
      const endpoint = [server.url, ...steps.slice(0, count)].join('/');
      expect((await open({ endpoint, retryPolicy }).complete(REQUEST)).ok, endpoint).toBe(true);
    }
    expect(new Set(server.seen.map((seen) => seen.path))).toEqual(new Set([path]));
  });

  it('is refused when the answer is JSON of another kind', async () => {
    const server = await loopback(() => ({ json: { unrelated: true } }));
    const answer = await open({ endpoint: server.url, retryPolicy }).complete(REQUEST);
    expect(answer).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', maybeSpent: true, message: expect.stringContaining('no text') as string } });
  });
});

const at = (name: string) => PROTOCOLS.find((protocol) => protocol.name === name) as (typeof PROTOCOLS)[0];

describe('anthropic', () => {
  it('finds the newest model of a family by asking for the list, once', async () => {
    const data = [
      { id: 'claude-haiku-3', created_at: '2024-03-01T00:00:00Z' },
      { id: 'claude-haiku-5', created_at: '2026-03-01T00:00:00Z' },
      { id: 'claude-sonnet-9', created_at: '2027-01-01T00:00:00Z' },
    ];
    const server = await loopback(({ path }) => ({ json: path.startsWith('/v1/models') ? { data } : at('anthropic').says('x') }));
    const model = at('anthropic').open({ endpoint: server.url, key: KEY, retryPolicy });
    const both = await Promise.all([model.complete({ ...REQUEST, model: 'haiku' }), model.complete({ ...REQUEST, model: 'haiku' })]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(server.seen.filter(({ path }) => path.startsWith('/v1/models'))).toHaveLength(1);
    expect(server.seen.filter(({ body }) => body['model'] === 'claude-haiku-5')).toHaveLength(2);
  });

  it('asks for a name where the endpoint has no list', async () => {
    const server = await loopback(() => ({ status: 404, json: {} }));
    const answer = await at('anthropic')
      .open({ endpoint: server.url, retryPolicy })
      .complete({ ...REQUEST, model: 'sonnet' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', hint: 'holdfast config set model.name NAME' } });
  });

  it('is not asked at its own address without a key', async () => {
    const answer = await at('anthropic').open({ endpoint: '', retryPolicy }).complete(REQUEST);
    expect(answer).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', hint: expect.stringContaining('model.keyVariable') as string } });
  });
});

describe('openai', () => {
  it('asks again without the JSON mode where a server does not know it', async () => {
    const server = await loopback(({ body }) =>
      'response_format' in body ? { status: 400, json: { error: { message: 'response_format is not supported' } } } : { json: at('openai').says('{}') },
    );
    expect((await at('openai').open({ endpoint: server.url, retryPolicy }).complete(REQUEST)).ok).toBe(true);
    expect(server.seen).toHaveLength(2);
  });

  it('repeats what the server says of a bad request', async () => {
    const server = await loopback(() => ({ status: 400, json: { error: { message: 'prompt is too long' } } }));
    const answer = await at('openai')
      .open({ endpoint: server.url, retryPolicy })
      .complete({ ...REQUEST, json: false });
    expect(answer).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', message: expect.stringContaining('prompt is too long') as string } });
    expect(server.seen).toHaveLength(1);
  });
});

describe('ollama', () => {
  it('is given room for the whole prompt, which it would cut without a word', async () => {
    const server = await loopback(() => ({ json: at('ollama').says('x') }));
    await at('ollama')
      .open({ endpoint: server.url, retryPolicy })
      .complete({ ...REQUEST, prompt: 'word '.repeat(8000) });
    const options = server.seen[0]?.body['options'] as { num_ctx: number; num_predict: number };
    expect(options.num_predict).toBe(300);
    expect(options.num_ctx).toBeGreaterThan(40_000 / 4 + 300);
  });
});

it.each(['openai', 'ollama'])('%s refuses the families that only Claude has, before anything is sent', async (name) => {
  const server = await loopback(() => ({ json: {} }));
  const answer = await at(name)
    .open({ endpoint: server.url, retryPolicy })
    .complete({ ...REQUEST, model: 'haiku' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', hint: 'holdfast config set model.name NAME' } });
  expect(server.seen).toHaveLength(0);
});
