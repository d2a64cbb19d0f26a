import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SqliteVectors } from '../../../src/adapters/sqlite/vectors/vectors.ts';
import { embedAll, itemTexts } from '../../../src/app/embedding/embed.ts';
import { nearbyFor, type NearbyOf } from '../../../src/app/embedding/nearby.ts';
import type { OpenEmbedding } from '../../../src/app/embedding/open.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { rankWithMeaning, similarityOf } from '../../../src/app/recall/near-records.ts';
import { recall } from '../../../src/app/recall/recall.ts';
import type { RecallContext } from '../../../src/app/recall/recall-context.ts';
import { itemRanking } from '../../../src/app/recall/ranking.ts';
import type { Embedder } from '../../../src/core/ports/embedding.ts';
import type { ItemFacts } from '../../../src/core/ports/index.ts';
import type { Category } from '../../../src/core/record/category.ts';
import { ok, refuse } from '../../../src/core/result.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import type { GateHit } from '../../../src/recall/gate/port.ts';
import { scratch } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';
import { context } from './opened.ts';

/** Meaning, for the test's purposes: which of these groups of words a text touches. */
const TOPICS = [
  ['automobile', 'vehicle'],
  ['invoice', 'bill'],
  ['storm', 'gale'],
];
const meaning = (text: string): Float32Array => {
  const vector = [...TOPICS.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0)), 0.2];
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
};

interface TestEmbedder extends Embedder {
  isWarm: boolean;
  warmed: number;
  asked: number;
}

const embedder = (more: Partial<TestEmbedder> = {}): TestEmbedder => ({
  name: 'minilm:test',
  local: true,
  isWarm: true,
  warmed: 0,
  asked: 0,
  warm() {
    this.warmed++;
  },
  async embed(texts) {
    this.asked++;
    return ok(texts.map(meaning));
  },
  ...more,
});

/** A memory with records that have vectors. */
async function embedded(by = embedder()): Promise<{
  readonly memory: Memory;
  readonly embedding: OpenEmbedding;
  readonly keep: (category: Category, title: string, more?: object) => Promise<string>;
}> {
  const { memory } = openMemory({ embed: { provider: 'minilm' } });
  const store = new SqliteVectors(path.join(scratch(), 'vectors.db'));
  const source = itemTexts(memory.index);
  const embedding: OpenEmbedding = { of: () => ok({ embedder: by, parts: [{ kind: 'items', source, store }] }), close: () => store.close() };
  const keep = async (category: Category, title: string, more: object = {}): Promise<string> => {
    const { record } = must(await save(memory, category, { title, tags: ['kept'], ...more }));
    must(await embedAllOf(memory, store));
    return `${record.category}/${record.id}`;
  };
  return { memory, embedding, keep };
}

/** By an embedder that is always there. */
async function embedAllOf({ index, md5 }: Memory, store: SqliteVectors): Promise<ReturnType<typeof ok<unknown>> | ReturnType<typeof refuse>> {
  const report = await embedAll({ source: itemTexts(index), store, embedder: embedder(), md5 });
  return report.complete ? ok(report) : refuse('MODEL_ERROR', 'not embedded');
}

const NO_LOG = { receptionOf: () => new Map() };
const timers = {
  after: (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

async function hitsFor(memory: Memory, nearbyOf: NearbyOf, question: string): Promise<readonly GateHit[]> {
  return (await rankWithMeaning(itemRanking([memory], NO_LOG), [memory], NO_LOG, nearbyOf)(question, 12)).hits;
}

const similarities = (hits: readonly GateHit[]): [string, number][] => hits.map(({ id, similarity = 0 }) => [id, Math.round(similarity * 10) / 10]);

describe('records near in meaning', () => {
  test('come in without a shared word, and words keep their hits', async () => {
    const { memory, embedding, keep } = await embedded();
    const tyres = await keep('decision', 'Every automobile gets winter tyres');
    const bills = await keep('decision', 'Each invoice is sent twice');
    const nearbyOf = nearbyFor({ open: async () => embedding });
    expect(similarities(await hitsFor(memory, nearbyOf, 'which vehicle'))).toEqual([[tyres, 1]]);
    expect(similarities(await hitsFor(memory, nearbyOf, 'an invoice for the vehicle'))).toEqual(
      expect.arrayContaining([
        [bills, expect.any(Number)],
        [tyres, expect.any(Number)],
      ]),
    );
  });

  test('are not those that are retired or quarantined', async () => {
    const { memory, embedding, keep } = await embedded();
    await keep('decision', 'A vehicle of the quarantined kind', { trust: 'quarantined' });
    await keep('decision', 'A vehicle of the retired kind');
    const [retired] = memory.index.items({ kind: 'record' }).filter(({ title }) => title.includes('retired'));
    must(await moveRecord(memory, 'retire', retired as ItemFacts, { actor: 'command' }));
    expect(await hitsFor(memory, nearbyFor({ open: async () => embedding }), 'automobile')).toEqual([]);
  });

  test('a hook asks no embedder that is elsewhere, and begins to load one that is not loaded', async () => {
    const elsewhere = embedder({ local: false });
    const cold = embedder({ isWarm: false });
    for (const one of [elsewhere, cold]) {
      const { memory, embedding, keep } = await embedded(one);
      await keep('decision', 'Every automobile gets winter tyres');
      expect(await hitsFor(memory, nearbyFor({ open: async () => embedding, onlyWarm: true }), 'which vehicle')).toEqual([]);
    }
    expect([elsewhere.asked, elsewhere.warmed, cold.asked, cold.warmed]).toEqual([0, 0, 0, 1]);
  });

  test.each([
    ['never answers', { embed: () => new Promise<never>(() => {}) }],
    ['fails', { embed: async () => refuse('MODEL_ERROR', 'its thread ended') }],
  ])('words alone decide when the embedder %s', async (_how, broken) => {
    const { memory, embedding, keep } = await embedded(embedder(broken));
    const tyres = await keep('decision', 'Every automobile gets winter tyres');
    const nearbyOf = nearbyFor({ open: async () => embedding, timeout: { ms: 5, timers }, onlyWarm: true });
    expect(similarities(await hitsFor(memory, nearbyOf, 'winter tyres of the vehicle'))).toEqual([[tyres, 0]]);
    expect(await hitsFor(memory, nearbyOf, 'which vehicle')).toEqual([]);
  });

  test('another model has cosines of another scale and is not asked', async () => {
    const { memory } = openMemory({ embed: { provider: 'ollama' } });
    const nearbyOf: NearbyOf = () => {
      throw new Error('asked');
    };
    expect(await hitsFor(memory, nearbyOf, 'which vehicle')).toEqual([]);
  });
});

test('a prompt gets a record that is about the same matter in other words', async () => {
  const { memory, recallContext, keep } = await context();
  await keep('decision', 'Every automobile gets winter tyres because of the insurance');
  const prompt = 'when do the cars get ready for snow?';
  const near = (similarity: number): RecallContext => ({
    ...recallContext,
    ranking: async (query, limit) => {
      const found = await recallContext.ranking('automobile winter tyres', limit);
      return { ...(await recallContext.ranking(query, limit)), hits: found.hits.map((hit) => ({ ...hit, similarity })) };
    },
  });
  expect((await recall(memory, near(0), { prompt })).injected).toEqual([]);
  expect((await recall(memory, near(1), { prompt })).injected).toHaveLength(1);
});

test('similarity grows from nothing to all between chance and one matter', () => {
  expect([-1, 0.1, 0.3, 0.4, 0.5, 1].map((cosine) => Math.round(similarityOf(cosine) * 100) / 100)).toEqual([0, 0, 0, 0.5, 1, 1]);
});
