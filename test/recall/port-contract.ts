import { describe, expect, test } from 'vitest';
import type { RecallIndex } from '../../src/recall/port.ts';
import { episodeRows } from '../../src/recall/chunks/message-rows.ts';
import { Library, type Writable } from './library.ts';

export type WritableIndex = RecallIndex & Writable & { remove(unit: number): void };

function filled(index: WritableIndex): WritableIndex {
  const shelf = new Library(index)
    .record({ id: 'cache', title: 'Cache for a day', body: 'The cache of AuthService lives for a day.', at: '2026-05-01', row: { category: 'decision' } })
    .record({ id: 'old', title: 'Cache for an hour', row: { status: 'retired', category: 'runbook', supersededBy: 'cache' } })
    .session('chat', [
      { role: 'user', speaker: 'Ann', text: 'Where did you go camping?', at: '2026-03-01T10:00:00Z' },
      { role: 'user', speaker: 'Ben', text: 'In the Alps!', at: '2026-03-01T10:01:00Z' },
      { role: 'user', speaker: 'Ann', text: '数据库 is down', at: '2026-03-01T10:02:00Z' },
    ])
    .session('work', [{ role: 'user', text: 'Warm the cache' }, { text: 'Cache warmed.' }]);
  return shelf.index;
}

const numbers = (ids: ArrayLike<number>): readonly number[] => Array.from(ids);

/** The contract of every index of records, documents and sessions. */
export const describeRecallIndex = (name: string, make: () => WritableIndex): unknown =>
  describe(`the port ${name}`, () => {
    const index = filled(make());

    test('counts', async () => {
      expect(await index.size()).toEqual({ chunks: 8, units: 4, terms: 20 });
    });

    test('gives the chunks of each term, ascending', async () => {
      const [cache, nothing, cjk] = await index.postings(['cach', 'nothing', '数据'], 100);
      expect(cache?.count).toBe(5);
      expect(numbers(cache?.ids ?? [])).toEqual(numbers(cache?.ids ?? []).toSorted((a, b) => a - b));
      expect(nothing).toEqual({ ids: nothing?.ids, count: 0 });
      expect(cjk?.count).toBe(1);
    });

    test('cuts to the last and says that there are more', async () => {
      const [all] = await index.postings(['cach'], 100);
      const [cut] = await index.postings(['cach'], 2);
      expect(numbers(cut?.ids ?? [])).toEqual(numbers(all?.ids ?? []).slice(-2));
      expect(cut?.count).toBeGreaterThan(2);
    });

    test('gives back units and chunks as they were put in, and none that are not there', async () => {
      const [unit] = await index.units([0, 99]);
      expect(unit).toMatchObject({ unit: 0, type: 'record', id: 'cache', title: 'Cache for a day', category: 'decision', status: 'active', trust: 'observed' });
      const ids = await index.between([[2 * 2 ** 31, 3 * 2 ** 31 - 1]]);
      const rows = (await index.chunks([...ids, 7])).toSorted((a, b) => a.id - b.id);
      expect(rows.map(({ messageId, speaker, asks, text, at }) => [messageId, speaker, asks ?? false, text, at])).toEqual([
        ['chat:1', 'Ann', true, 'Where did you go camping?', Date.UTC(2026, 2, 1, 10)],
        ['chat:2', 'Ben', false, 'In the Alps!', Date.UTC(2026, 2, 1, 10, 1)],
        ['chat:3', 'Ann', false, '数据库 is down', Date.UTC(2026, 2, 1, 10, 2)],
      ]);
    });

    test.each([
      [{}, [0, 2, 3]],
      [{ includeRetired: true }, [0, 1, 2, 3]],
      [{ type: 'session' }, [2, 3]],
      [{ category: 'runbook', includeRetired: true }, [1]],
      [{ until: Date.UTC(2026, 3, 1) }, [2, 3]],
      [{ since: Date.UTC(2026, 3, 1) }, [0, 3]],
    ] as const)('lets through %j', async (filter, units) => {
      expect([...((await index.allowed(filter)) ?? [])].toSorted((a, b) => a - b)).toEqual(units);
    });

    test('knows records by id, speakers and words', async () => {
      expect((await index.recordsNamed(['old', 'none', 'chat'])).map(({ supersededBy }) => supersededBy)).toEqual(['cache']);
      expect([...(await index.speakers())].toSorted()).toEqual(['Ann', 'Ben']);
      expect(await index.words('c', 'd')).toEqual(['cache', 'camping']);
    });

    test('a unit grows and goes', async () => {
      const one = filled(make());
      const first = episodeRows(9, [{ id: 'm1', sessionId: 'g', role: 'user', text: 'A giraffe arrives' }]);
      const more = episodeRows(9, [{ id: 'm2', sessionId: 'g', role: 'user', text: 'The giraffe leaves' }], first.nextPlace);
      const before = await one.size();
      one.add({ unit: 9, type: 'session', id: 'g', title: '', size: first.size }, first.chunks);
      one.add({ unit: 9, type: 'session', id: 'g', title: '', size: first.size + more.size }, more.chunks);
      expect((await one.postings(['giraff'], 10))[0]?.count).toBe(2);
      expect(await one.size()).toEqual({ chunks: before.chunks + 2, units: before.units + 1, terms: before.terms + 4 });
      one.remove(9);
      expect((await one.postings(['giraff'], 10))[0]?.count).toBe(0);
      expect(await one.size()).toEqual(before);
    });
  });
