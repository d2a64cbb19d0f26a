import { createHash } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OllamaEmbedder } from '../../../src/adapters/model/embed/open.ts';
import { SqliteVectors } from '../../../src/adapters/sqlite/vectors/vectors.ts';
import { embedAll, type EmbeddedText } from '../../../src/app/embedding/embed.ts';
import { nearestTo } from '../../../src/app/embedding/nearby.ts';
import { loopback, retryPolicy, type Loopback } from '../../adapters/model/loopback.ts';
import { scratch } from '../../scratch.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Meaning, for the test's purposes: which of these words a text has. */
const WORDS = ['cat', 'dog', 'lock', 'disk', 'rain', 'code'];
const meaning = (text: string): number[] => [...WORDS.map((word) => (text.includes(word) ? 1 : 0)), 0.1];

const server = (fails: () => boolean = () => false): Promise<Loopback> =>
  loopback(({ body }) => (fails() ? { status: 400, json: { error: 'no' } } : { json: { embeddings: (body['input'] as string[]).map(meaning) } }));

const embedder = ({ url }: Loopback, model = 'one'): OllamaEmbedder => new OllamaEmbedder({ endpoint: url, model, retryPolicy });

function vectors(): SqliteVectors {
  const store = new SqliteVectors(path.join(scratch(), 'vectors.db'));
  onTestFinished(() => store.close());
  return store;
}

const sourceOf = (texts: Map<number, string>) => ({
  count: (): number => texts.size,
  chunks: (after: number, limit: number): readonly EmbeddedText[] =>
    [...texts]
      .filter(([id]) => id > after)
      .toSorted(([a], [b]) => a - b)
      .slice(0, limit)
      .map(([id, text]) => ({ id, text })),
});

const many = (count: number): Map<number, string> => new Map(Array.from({ length: count }, (_, n) => [n * 7, `text ${n} about a ${WORDS[n % WORDS.length]}`]));

const asked = ({ seen }: Loopback): number => seen.reduce((sum, { body }) => sum + (body['input'] as string[]).length, 0);

describe('embedding an index', () => {
  it('embeds every text once, and then only what changed', async () => {
    const [api, store, texts] = [await server(), vectors(), many(150)];
    const request = { source: sourceOf(texts), store, embedder: embedder(api), md5 };
    const told: number[] = [];
    expect(await embedAll({ ...request, progress: ({ embedded }) => void told.push(embedded) })).toEqual({
      model: 'ollama:one',
      seen: 150,
      embedded: 150,
      removed: 0,
      complete: true,
    });
    expect(told).toEqual([64, 128, 150]);
    texts.set(14, 'other words about a lock').set(5000, 'a new text').delete(21);
    expect(await embedAll(request)).toMatchObject({ embedded: 2, removed: 1, complete: true });
    expect(asked(api)).toBe(152);
    expect(store.count('ollama:one')).toBe(150);
    expect(await embedAll({ ...request, source: sourceOf(new Map()) })).toMatchObject({ removed: 150 });
  });

  it('finds by meaning once it is complete, and says nothing before', async () => {
    const [api, store] = [await server(), vectors()];
    const [one, source] = [embedder(api), sourceOf(many(130))];
    let batches = 0;
    expect(await embedAll({ source, store, embedder: one, md5, mayContinue: () => batches++ < 1 })).toMatchObject({
      embedded: 64,
      complete: false,
      stopped: 'interrupted',
    });
    expect(await nearestTo({ store, embedder: one }, 'what locks', 3)).toEqual({ ok: true, value: undefined });
    expect(await embedAll({ source, store, embedder: one, md5 })).toMatchObject({ embedded: 66, complete: true });
    const hits = await nearestTo({ store, embedder: one }, 'what locks', 3);
    expect(hits.ok && hits.value?.map(({ key }) => (key / 7) % WORDS.length)).toEqual([2, 2, 2]);
  });

  it('embeds anew for another model while the old one still answers', async () => {
    const [api, store] = [await server(), vectors()];
    const [before, after, source] = [embedder(api, 'one'), embedder(api, 'two'), sourceOf(many(100))];
    await embedAll({ source, store, embedder: before, md5 });
    let batches = 0;
    await embedAll({ source, store, embedder: after, md5, mayContinue: () => batches++ < 1 });
    expect((await nearestTo({ store, embedder: before }, 'rain', 1)).ok).toBe(true);
    expect([store.isComplete(before.name), store.isComplete(after.name)]).toEqual([true, false]);
    await embedAll({ source, store, embedder: after, md5 });
    expect([store.isComplete(before.name), store.isComplete(after.name), store.count(before.name)]).toEqual([false, true, 0]);
  });

  it('keeps what it has when the embedder fails, and goes on from there', async () => {
    let fails = false;
    const [api, store] = [await server(() => fails), vectors()];
    const request = { source: sourceOf(many(150)), store, embedder: embedder(api), md5, progress: () => void (fails = true) };
    expect(await embedAll(request)).toMatchObject({ embedded: 64, complete: false, stopped: { code: 'MODEL_ERROR' } });
    fails = false;
    expect(await embedAll({ ...request, progress: () => undefined })).toMatchObject({ embedded: 86, complete: true });
  });
});
