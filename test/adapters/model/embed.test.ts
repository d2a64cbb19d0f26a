import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OllamaEmbedder, OpenAiEmbedder, openEmbedder } from '../../../src/adapters/model/embed/open.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import { scratch } from '../../scratch.ts';
import { KEY, loopback, retryPolicy, type Reply } from './loopback.ts';

/** A vector that tells which text it is of. */
const vectorOf = (text: string): number[] => [text.length, 1, 0];

const SERVERS = {
  ollama: {
    path: '/api/embed',
    open: (endpoint: string, model = 'some-model') => new OllamaEmbedder({ endpoint, model, key: KEY, retryPolicy }),
    says: (texts: readonly string[]): Reply => ({ json: { embeddings: texts.map(vectorOf), prompt_eval_count: 3 } }),
  },
  openai: {
    path: '/v1/embeddings',
    open: (endpoint: string, model = 'some-model') => new OpenAiEmbedder({ endpoint, model, key: KEY, retryPolicy }),
    says: (texts: readonly string[]): Reply => ({ json: { data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed() } }),
  },
} as const;

describe.each(Object.entries(SERVERS))('an embedder over %s', (name, { path, open, says }) => {
  const texts = Array.from({ length: 150 }, (_, n) => 'x'.repeat(n + 1));

  it('asks in batches and gives a vector of length one for every text, in order', async () => {
    const server = await loopback(({ body }) => says(body['input'] as string[]));
    const embedder = open(server.url);
    const got = await embedder.embed(texts, 'passage');
    if (!got.ok) throw new Error(got.error.message);
    expect(got.value).toHaveLength(150);
    got.value.forEach((vector, n) => expect(vector[0]! / vector[1]!).toBeCloseTo(n + 1, 2));
    for (const vector of got.value) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(server.seen.map(({ body }) => (body['input'] as string[]).length)).toEqual([64, 64, 22]);
    expect(server.seen[0]).toMatchObject({ path, body: { model: 'some-model' }, headers: { authorization: `Bearer ${KEY}` } });
    expect([embedder.name, embedder.local]).toEqual([`${name}:some-model`, false]);
  });

  it('begins questions and passages as the model was trained to', async () => {
    const server = await loopback(({ body }) => says(body['input'] as string[]));
    const embedder = open(server.url, 'nomic-embed-text');
    await embedder.embed(['why'], 'query');
    await embedder.embed(['because'], 'passage');
    expect(server.seen.map(({ body }) => body['input'])).toEqual([['search_query: why'], ['search_document: because']]);
  });

  it.each<[string, (inputs: readonly string[]) => Reply]>([
    ['too few vectors', (inputs) => says(inputs.slice(1))],
    ['vectors of different sizes', () => ({ json: { embeddings: [[1], [1, 2]], data: [{ embedding: [1] }, { embedding: [1, 2] }] } })],
    ['something else', () => ({ json: { fine: true } })],
    ['an empty vector', () => ({ json: { embeddings: [[], []], data: [{ embedding: [] }, { embedding: [] }] } })],
  ])('refuses %s', async (_what, reply) => {
    const server = await loopback(({ body }) => reply(body['input'] as string[]));
    expect(await open(server.url).embed(['a', 'b'], 'passage')).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR' } });
  });

  it('tries again what passes, and names its own settings in what it says', async () => {
    const passing = await loopback(({ body }, before) => (before === 0 ? { status: 503 } : says(body['input'] as string[])));
    expect((await open(passing.url).embed(['a'], 'query')).ok).toBe(true);
    const refusing = await loopback(() => ({ status: 401, json: { error: { message: KEY } } }));
    const answer = await open(refusing.url).embed(['a'], 'query');
    expect(answer).toMatchObject({ ok: false, error: { hint: expect.stringContaining('embed.keyVariable') as string } });
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });
});

it('the settings choose the embedder, and its usual model', () => {
  const model = { folder: join(scratch(), 'not-there') };
  const name = (embed: object) => {
    const opened = openEmbedder(effectiveConfig({ user: { embed } }), { model });
    return opened.ok ? opened.value?.name : opened.error.code;
  };
  expect(name({})).toBeUndefined();
  expect(name({ provider: 'ollama' })).toBe('ollama:nomic-embed-text');
  expect(name({ provider: 'openai', model: 'mine' })).toBe('openai:mine');
  expect(name({ provider: 'minilm' })).toBe('CONFIG_ERROR');
  expect(openEmbedder(effectiveConfig({ user: { embed: { provider: 'openai' } } }), { key: 'a\nb', model })).toMatchObject({
    ok: false,
    error: { code: 'CONFIG_ERROR' },
  });
});
