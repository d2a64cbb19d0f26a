import { expect, test } from 'vitest';
import { resolveItem, shortId } from '../../../src/app/read/resolve.ts';
import { catchUp } from '../../../src/app/index/catch-up.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { must, openMemory, save } from '../memory.ts';

const named = async (memory: Memory, name: string): Promise<string> => {
  const found = await resolveItem(memory, name);
  return found.ok ? `${found.value.category}/${found.value.id}` : `${found.error.code}: ${found.error.message}`;
};

async function three() {
  const { memory } = openMemory();
  must(await save(memory, 'decision', { title: 'Use SQLite for the index' }));
  must(await save(memory, 'decision', { title: 'Use SQL files for migrations' }));
  must(await save(memory, 'constraint', { title: 'Use SQLite read only in hooks' }));
  await catchUp(memory);
  return memory;
}

test('a record answers to its short id and to any beginning of its id that no other has', async () => {
  const memory = await three();
  const item = must(await resolveItem(memory, 'use-sqlite-for-the-index'));
  const short = shortId(memory, item);
  expect(short).toMatch(/^d\d..$/);
  for (const name of [short, `decision/${short}`, 'use-sqlite-f', 'USE-SQLITE-F', 'decision/use-sqli', 'decision/use-sqlite-for-the-index'])
    expect(await named(memory, name), name).toBe('decision/use-sqlite-for-the-index');
  expect(await named(memory, 'constraint/use')).toBe('constraint/use-sqlite-read-only-in-hooks');
});

test('a beginning that two share names both and is never taken for one of them', async () => {
  const memory = await three();
  expect(await named(memory, 'use-sqlite')).toMatch(/^AMBIGUOUS_ID: "use-sqlite" could be .*use-sqlite-read-only-in-hooks.*use-sqlite-for-the-index/);
  expect(await named(memory, 'decision/use-sql')).toMatch(/^AMBIGUOUS_ID/);
});

test('a whole id counts before a longer one that begins with it', async () => {
  const memory = await three();
  must(await save(memory, 'decision', { title: 'Use SQL' }));
  expect(await named(memory, 'use-sql')).toBe('decision/use-sql');
});

test('a misspelt id is answered with the one that was meant', async () => {
  const memory = await three();
  const short = shortId(memory, must(await resolveItem(memory, 'use-sqlite-for-the-index')));
  const meant = `Did you mean ${short} (decision/use-sqlite-for-the-index)?`;
  for (const name of ['use-sqlite-for-teh-index', 'use-sqltie-for', 'constraint/use-sqlite-for'])
    expect(await named(memory, name)).toBe(`NOT_FOUND: No record or document "${name}" found. ${meant}`);
  expect(await named(memory, 'kafka')).toBe('NOT_FOUND: No record or document "kafka" found.');
  for (const name of ['', '/', 'decision/', '%', '*', 'use-%', 'd4f7']) expect(await named(memory, name), name).toMatch(/^NOT_FOUND/);
});

test('a renamed record still answers to the short id it had', async () => {
  const memory = await three();
  const item = must(await resolveItem(memory, 'use-sqlite-for-the-index'));
  const before = shortId(memory, item);
  const { record } = must(await currentRecord(memory, item));
  const changes = [...(record.changes ?? []), { date: '2026-03-02T00:00:00Z', summary: 'no database' }];
  const draft = { ...record, title: 'Keep everything in flat files', changes };
  must(await updateRecord(memory, { place: item, draft, actor: 'command' }));
  expect(await named(memory, before)).toBe('decision/keep-everything-in-flat-files');
});
