import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { undo } from '../../../src/app/history/undo.ts';
import { show } from '../../../src/app/read/show.ts';
import { searchMemory } from '../../../src/app/search/ranking.ts';
import { replaceText } from '../../../src/app/write/edit.ts';
import { collectGarbage } from '../../../src/app/write/gc.ts';
import { shareRecord } from '../../../src/app/write/save.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import type { MemoryRecord } from '../../../src/core/record/schema.ts';
import { filesUnder } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';

const by = { actor: 'command' };
const next = (record: MemoryRecord, change: object = {}): Draft => ({
  ...record,
  changes: [...(record.changes ?? []), { date: '2026-03-01T12:00:00Z', summary: 'more' }],
  ...change,
});

describe('updateRecord', () => {
  it('refuses a draft made from another version', async () => {
    const { memory } = openMemory();
    const { record, place, hash } = must(await save(memory, 'decision'));
    must(await updateRecord(memory, { place, draft: next(record), hash, ...by }));
    expect(await updateRecord(memory, { place, draft: next(record), hash, ...by })).toMatchObject({ ok: false, error: { code: 'OCC_CONFLICT' } });
  });

  it('renames the file when the title says something else, and the old name still finds it', async () => {
    const { memory, root } = openMemory();
    const { record, place, hash } = must(await save(memory, 'decision', { title: 'Use SQLite' }));
    const updated = must(await updateRecord(memory, { place, draft: next(record, { title: 'Keep sessions in cookies' }), hash, ...by }));
    expect(updated).toMatchObject({
      renamedFrom: place.path,
      record: { id: 'keep-sessions-in-cookies' },
      place: { path: 'decisions/2026-03-01_001_keep-sessions-in-cookies.md' },
    });
    expect(fs.readdirSync(path.join(root, 'decisions'))).toEqual(['2026-03-01_001_keep-sessions-in-cookies.md']);
    expect(must(await show(memory, 'use-sqlite')).item.id).toBe('keep-sessions-in-cookies');
    must(await undo(memory, by));
    expect(fs.readdirSync(path.join(root, 'decisions'))).toEqual(['2026-03-01_001_use-sqlite.md']);
  });

  it('keeps what a person added to the file', async () => {
    const { memory, root } = openMemory();
    const { record, place } = must(await save(memory, 'decision'));
    const file = path.join(root, place.path);
    fs.appendFileSync(file, '\n## My own notes\nDo not lose this.\n');
    const { hash } = must(await show(memory, record.id));
    must(await updateRecord(memory, { place, draft: next(record, { tags: [...record.tags, 'three'] }), hash, ...by }));
    expect(fs.readFileSync(file, 'utf8')).toContain('## My own notes\nDo not lose this.');
  });
});

describe('replaceText', () => {
  it('takes what its owner wrote, and refuses what is no longer a record', async () => {
    const { memory } = openMemory();
    const { place } = must(await save(memory, 'decision'));
    const { text, hash } = must(await show(memory, 'a-decision'));
    const edited = must(await replaceText(memory, place, text.replace('Use SQLite', 'Use DuckDB'), hash, by));
    expect(edited.record?.content).toMatchObject({ decision: 'Use DuckDB' });
    expect(await replaceText(memory, place, text, hash, by)).toMatchObject({ ok: false, error: { code: 'OCC_CONFLICT' } });
    expect(await replaceText(memory, place, text.replace('**Status**: accepted', '**Status**: whatever'), edited.hash, by)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
  });
});

describe('shareRecord', () => {
  it('moves a record into the project and back', async () => {
    const { memory, project, root } = openMemory();
    const { place } = must(await save(memory, 'runbook', { title: 'Fix it' }));
    const shared = must(await shareRecord(memory, place, by));
    const file = path.join(project, '.claude/memory/runbooks/fix-it.md');
    expect(shared).toMatchObject({ status: 'shared', file, record: { scope: 'shared' } });
    expect(fs.readFileSync(path.join(root, 'index.md'), 'utf8')).toContain('-> .claude/memory/runbooks/fix-it.md');
    expect(Object.keys(filesUnder(path.join(project, '.claude/memory')))).toEqual(['runbooks/fix-it.md']);
    must(await shareRecord(memory, shared.place, by, 'private'));
    expect([fs.existsSync(file), fs.existsSync(path.join(root, place.path))]).toEqual([false, true]);
  });
});

describe('a record that came with the code', () => {
  it('is never taken for confirmed, and stays quarantined where it is', async () => {
    const { memory } = openMemory();
    const trustOf = async (trust: string, title: string) => {
      const { place } = must(await save(memory, 'constraint', { title, trust }));
      must(await shareRecord(memory, place, by));
      return must(await show(memory, title.toLowerCase())).item.trust;
    };
    expect([await trustOf('confirmed', 'One'), await trustOf('observed', 'Two'), await trustOf('quarantined', 'Three')]).toEqual([
      'observed',
      'observed',
      'quarantined',
    ]);
  });
});

describe('moveRecord', () => {
  it('takes a record out of search and brings it back', async () => {
    const { memory } = openMemory();
    const { place } = must(await save(memory, 'constraint', { title: 'Rate limit' }));
    const hits = async (includeRetired = false) =>
      (await searchMemory([{ memory }], { query: 'rate limit', limit: 5, includeRetired })).map(({ status }) => status);
    expect(await hits()).toEqual(['active']);
    must(await moveRecord(memory, 'retire', place, { ...by, reason: 'lifted' }));
    expect([await hits(), await hits(true)]).toEqual([[], ['retired']]);
    must(await moveRecord(memory, 'restore', place, by));
    must(await moveRecord(memory, 'archive', place, by));
    expect([await hits(), await hits(true)]).toEqual([[], ['archived']]);
  });

  it('confirms once', async () => {
    const { memory } = openMemory();
    const { place } = must(await save(memory, 'constraint', { trust: 'quarantined' }));
    expect(must(await moveRecord(memory, 'confirm', place, by))).toMatchObject({ status: 'confirmed', record: { trust: 'confirmed' } });
    expect(must(await moveRecord(memory, 'confirm', place, by)).status).toBe('already_confirmed');
  });
});

describe('collectGarbage', () => {
  it('purges after the grace period, archives sessions, and can be undone until the next one is over', async () => {
    const { memory, home, at } = openMemory();
    const words = 'a sentence that only this record has';
    const record = must(
      await save(memory, 'constraint', { title: 'Old limit', content: { kind: 'policy', rule: words, impact: ['x'], severity: 'low', active: true } }),
    );
    const session = must(await save(memory, 'session_summary', { title: 'Old day' }, { sessionId: 'old' }));
    for (const { place } of [record, session]) must(await moveRecord(memory, 'retire', place, by));
    expect(await collectGarbage(memory, by)).toMatchObject({ deleted: [], archived: [] });
    at('2026-04-02T12:00:00Z');
    expect(await collectGarbage(memory, by, { dryRun: true })).toMatchObject({ deleted: ['old-limit.md'], archived: ['old.md'], dryRun: true });
    expect(fs.existsSync(record.file)).toBe(true);
    expect(await collectGarbage(memory, by)).toMatchObject({ deleted: ['old-limit.md'], archived: ['old.md'] });
    expect(fs.existsSync(record.file)).toBe(false);
    expect(must(await show(memory, 'old')).record?.record_status).toBe('archived');

    must(await undo(memory, by));
    expect(fs.existsSync(record.file)).toBe(true);
    await collectGarbage(memory, by);
    at('2026-06-01T12:00:00Z');
    expect((await collectGarbage(memory, by)).forgotten).toBeGreaterThan(0);
    expect(JSON.stringify(filesUnder(path.join(home, 'holdfast')))).not.toContain(words);
  });

  it('retires what its category keeps only so many days', async () => {
    const { memory, at } = openMemory({ categories: { constraint: { retention_days: 10 } } });
    must(await save(memory, 'constraint', { title: 'For now' }));
    must(await save(memory, 'decision', { title: 'For good' }));
    at('2026-03-12T12:00:00Z');
    expect(await collectGarbage(memory, by)).toMatchObject({ expired: ['for-now.md'] });
    expect(must(await show(memory, 'for-now')).record).toMatchObject({ record_status: 'retired', retired_reason: 'Retention: older than retention_days' });
  });
});
