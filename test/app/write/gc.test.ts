import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/app/write/gc.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import { analyze } from '../../../src/recall/text/analyze.ts';
import { must, openMemory, save } from '../memory.ts';

const by = { actor: 'command' } as const;

async function retiredLongAgo(config?: object) {
  const opened = openMemory(config);
  for (const title of ['Old choice', 'Undated choice']) {
    const { place } = must(await save(opened.memory, 'decision', { title }));
    must(await moveRecord(opened.memory, 'retire', place, { ...by, reason: 'over' }));
  }
  opened.at('2026-06-01T12:00:00Z');
  return opened;
}

const fileOf = (root: string, word: string): string =>
  path.join(root, 'decisions', fs.readdirSync(path.join(root, 'decisions')).find((name) => name.includes(word)) ?? '');

test('names what it passed over and what it could not read, and keeps both', async () => {
  const { memory, root } = await retiredLongAgo();
  const undated = fileOf(root, 'undated');
  fs.writeFileSync(undated, fs.readFileSync(undated, 'utf8').replace(/^retired_at: .*$/m, 'retired_at: last spring'));
  fs.writeFileSync(path.join(root, 'decisions', 'broken.json'), '{"record_status": "retired", ');
  for (const dryRun of [true, false]) {
    const { deleted, skipped, unreadable } = await collectGarbage(memory, by, { dryRun });
    expect(deleted).toEqual([expect.stringContaining('old-choice')]);
    const kept = [...skipped, ...unreadable].map((name) => path.basename(name));
    expect(kept).toHaveLength(2);
    expect(kept).toEqual(expect.arrayContaining([expect.stringContaining('undated-choice'), 'broken.json']));
  }
  expect(fs.existsSync(undated)).toBe(true);
  expect(fs.readFileSync(path.join(root, 'decisions', 'broken.json'), 'utf8')).toBe('{"record_status": "retired", ');
});

test('archives every category where delete.archive_retired is set to true', async () => {
  const { memory } = await retiredLongAgo({ delete: { archive_retired: true } });
  const { deleted, archived } = await collectGarbage(memory, by);
  expect(deleted).toEqual([]);
  expect(archived).toHaveLength(2);
  expect(memory.index.items({ kind: 'record', status: 'archived' })).toHaveLength(2);
});

test('untagged is no tag: nothing is found by it, and the first real tag takes its place', async () => {
  const { memory } = openMemory();
  const { record, place } = must(await save(memory, 'decision', { title: 'Use pnpm', tags: [] }));
  expect(record.tags).toEqual(['untagged']);
  const [item] = memory.index.items({ kind: 'record' });
  expect(memory.index.search(analyze('untagged'), {}, 5)).toEqual([]);
  expect(item?.tags).toEqual(['untagged']);
  const draft = { ...record, tags: [...record.tags, 'build'], changes: [...(record.changes ?? []), { date: '2026-03-01T12:00:00Z', summary: 'tagged' }] };
  expect(must(await updateRecord(memory, { ...by, place, draft })).record.tags).toEqual(['build']);
});
