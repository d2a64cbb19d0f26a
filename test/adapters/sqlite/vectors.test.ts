import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteVectors } from '../../../src/adapters/sqlite/vectors/vectors.ts';
import { scratch } from '../../scratch.ts';

const SIZE = 96;

/** Numbers that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const unit = (values: Float32Array): Float32Array => {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
};

const next = random(7);
const vector = (size = SIZE): Float32Array => unit(Float32Array.from({ length: size }, () => next() - 0.5));
const near = (to: Float32Array, by: number): Float32Array => unit(to.map((value) => value + by * (next() - 0.5)));
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);

function open(file = path.join(scratch(), 'state', 'vectors.db')): { store: SqliteVectors; file: string } {
  const store = new SqliteVectors(file);
  onTestFinished(() => {
    store.close();
  });
  return { store, file };
}

const put = (store: SqliteVectors, model: string, vectors: readonly Float32Array[], from = 0): void =>
  store.put(
    model,
    vectors.map((one, at) => ({ key: from + at, digest: `d${from + at}`, vector: one })),
  );

describe('vectors in SQLite', () => {
  it('finds the nearest as an exact search does, with their cosines', () => {
    const { store } = open();
    const centres = Array.from({ length: 40 }, () => vector());
    const all = Array.from({ length: 2000 }, (_, n) => near(centres[n % 40] as Float32Array, 0.15));
    put(store, 'm', all);
    let found = 0;
    for (let n = 0; n < 40; n++) {
      const query = near(centres[n] as Float32Array, 0.15);
      const exact = all.map((one, key) => ({ key, score: dot(one, query) })).toSorted((a, b) => b.score - a.score);
      const hits = store.nearest('m', query, 10);
      expect(hits).toHaveLength(10);
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
      for (const { key, score } of hits) expect(score).toBeCloseTo(dot(all[key] as Float32Array, query), 1);
      found += hits.filter(({ key }) => exact.slice(0, 10).some((one) => one.key === key)).length;
    }
    expect(found / 400).toBeGreaterThan(0.9);
  });

  it('keeps keys as large as the index has them, and digests to tell what changed', () => {
    const { store, file } = open();
    const key = 2 ** 52 + 12_345;
    const one = vector();
    store.put('m', [{ key, digest: 'abc', vector: one }]);
    const again = open(file).store;
    expect(again.digests('m', [key, 1])).toEqual(new Map([[key, 'abc']]));
    expect(again.nearest('m', one, 5)).toEqual([{ key, score: expect.closeTo(1, 2) as number }]);
    expect(again.digests('other', [key]).size).toBe(0);
  });

  it('replaces, prunes and counts', () => {
    const { store } = open();
    put(
      store,
      'm',
      Array.from({ length: 20 }, () => vector()),
    );
    store.put('m', [{ key: 3, digest: 'new', vector: vector() }]);
    expect(store.count('m')).toBe(20);
    expect(store.digests('m', [3]).get(3)).toBe('new');
    expect(store.prune('m', 5, 12, new Set([6, 7]))).toBe(6);
    expect(store.count('m')).toBe(14);
    expect(
      store
        .nearest('m', vector(), 100)
        .map(({ key }) => key)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2, 3, 4, 6, 7, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('holds two models until the new one is complete', () => {
    const { store } = open();
    put(store, 'old', [vector()]);
    store.complete('old');
    put(store, 'new', [vector(64), vector(64)]);
    expect([store.isComplete('old'), store.isComplete('new'), store.count('old')]).toEqual([true, false, 1]);
    store.complete('new');
    expect([store.isComplete('old'), store.isComplete('new'), store.count('old'), store.count('new')]).toEqual([false, true, 0, 2]);
  });

  it('never compares vectors of different sizes', () => {
    const { store } = open();
    put(store, 'm', [vector(), vector()]);
    store.complete('m');
    expect(store.nearest('m', vector(64), 5)).toEqual([]);
    put(store, 'm', [vector(64)]);
    expect([store.count('m'), store.isComplete('m')]).toEqual([1, false]);
    expect(store.nearest('m', vector(64), 5)).toHaveLength(1);
  });

  it('sees what another process has written since', () => {
    const { store, file } = open();
    put(store, 'm', [vector()]);
    store.load('m');
    expect(store.isLoaded('m')).toBe(true);
    const { store: other } = open(file);
    const one = vector();
    other.put('m', [{ key: 9, digest: 'x', vector: one }]);
    expect(store.nearest('m', one, 1)[0]?.key).toBe(9);
  });

  it('begins again when the database is damaged', () => {
    const file = path.join(scratch(), 'vectors.db');
    fs.writeFileSync(file, 'this is no database, whatever its name says'.repeat(100));
    const { store } = open(file);
    expect(store.count('m')).toBe(0);
    put(store, 'm', [vector()]);
    expect(store.count('m')).toBe(1);
  });
});
