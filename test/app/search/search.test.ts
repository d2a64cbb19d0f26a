import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { searchMemory } from '../../../src/app/search/ranking.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import type { RecallIndex } from '../../../src/recall/port.ts';
import { library } from '../../recall/library.ts';
import { must, openMemory, save } from '../memory.ts';

const TITLES = ['Cache warm up', 'Queue of jobs', 'Login by token', 'Upload retries', 'Label printer'];

async function filled(): Promise<{ readonly memory: Memory; readonly files: readonly string[] }> {
  const { memory } = openMemory();
  const files: string[] = [];
  for (const title of TITLES) files.push(must(await save(memory, 'decision', { title })).file);
  return { memory, files };
}

const talk = (): RecallIndex => library().session('s1', [{ id: 'm1', role: 'user', text: 'The label printer jams on Mondays.' }]).index;
const QUESTIONS = ['queue of jobs', 'login token', 'retries of an upload', 'warm cache'];

describe('records with and without messages beside them', () => {
  test.each(QUESTIONS)('%s finds the same record first, by the index alone and by the whole ranker', async (query) => {
    const { memory } = await filled();
    const alone = await searchMemory([{ memory }], { query, limit: 5, explain: true });
    const beside = await searchMemory([{ memory, messages: talk }], { query, limit: 5, explain: true });
    expect(alone[0]?.explain?.map(({ signal }) => signal)).toContain('words');
    expect(beside[0]?.explain?.map(({ signal }) => signal)).toContain('near');
    expect(beside[0]?.id).toBe(alone[0]?.id);
  });

  test('what was said stands in the same list', async () => {
    const { memory } = await filled();
    const hits = await searchMemory([{ memory, messages: talk }], { query: 'label printer', limit: 5 });
    expect(hits.map(({ kind, message_id, session_id }) => [kind, message_id, session_id])).toEqual([
      ['record', null, null],
      ['message', 'm1', 's1'],
    ]);
  });

  test('a hit that shares less than half of the words is marked as weak', async () => {
    const { memory } = await filled();
    const weakOf = async (query: string): Promise<readonly (boolean | undefined)[]> =>
      (await searchMemory([{ memory, messages: talk }], { query, limit: 1 })).map(({ weak }) => weak);
    expect(await weakOf('retries of an upload')).toEqual([undefined]);
    expect(await weakOf('upload pictures from a phone')).toEqual([true]);
  });

  test('messages are not asked for where none are wanted', async () => {
    const { memory } = await filled();
    const messages = (): never => {
      throw new Error('asked for');
    };
    for (const more of [{ kind: 'record' }, { kind: 'document' }, { category: 'decision' }] as const)
      expect(await searchMemory([{ memory, messages }], { query: 'nothing of that', limit: 5, ...more })).toEqual([]);
  });
});

test('a memory that stays open notices a file that was changed by hand, in the hit it is about to show', async () => {
  const { memory, files } = await filled();
  const [, queue = ''] = files;
  expect((await searchMemory([{ memory }], { query: 'queue', limit: 5 }))[0]?.title).toBe('Queue of jobs');
  fs.writeFileSync(queue, fs.readFileSync(queue, 'utf8').replaceAll('Queue of jobs', 'Queue of parcels'));
  expect((await searchMemory([{ memory }], { query: 'queue', limit: 5 }))[0]?.title).toBe('Queue of parcels');
});

test('what people said of a record counts', async () => {
  const { memory } = openMemory();
  for (const title of ['Retry uploads', 'Retry uploads soon']) must(await save(memory, 'decision', { title }));
  const first = (feedback: ReadonlyMap<string, number>): Promise<string | undefined> =>
    searchMemory([{ memory, log: { receptionOf: () => new Map([...feedback].map(([id, sum]) => [id, { feedback: sum }])) } }], {
      query: 'retry uploads',
      limit: 5,
    }).then(([hit]) => hit?.id);
  expect(await first(new Map([['decision/retry-uploads', 3]]))).toBe('decision/retry-uploads');
  expect(await first(new Map([['decision/retry-uploads', -3]]))).toBe('decision/retry-uploads-soon');
});
