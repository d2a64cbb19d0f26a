import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeUpdate } from '../../../src/core/lifecycle/merge.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import type { MemoryRecord } from '../../../src/core/record/schema.ts';
import { sample } from '../sample.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ADDED = { date: '2026-02-01T00:00:00Z', summary: 'Added detail' };
const twelve = Array.from({ length: 12 }, (_, i) => `t${String(i).padStart(2, '0')}`);
const none = (): boolean => false;
const all = (): boolean => true;

const next = (old: MemoryRecord, change: object = {}): Draft => ({ ...old, changes: [...(old.changes ?? []), ADDED], ...change });

describe('mergeUpdate', () => {
  const old = sample('decision');

  it('counts the update and stamps it', () => {
    expect(mergeUpdate(old, next(old), NOW, all)).toMatchObject({ ok: true, value: { record: { times_updated: 1, updated_at: '2026-03-01T12:00:00Z' } } });
  });

  it('keeps identity, lifecycle and trust whatever the draft says', () => {
    const kept = sample('decision', { trust: 'quarantined', origin: { channel: 'capture' } });
    const forged = {
      created_at: '2020-01-01T00:00:00Z',
      schema_version: '9',
      category: 'runbook',
      id: 'other',
      record_status: 'retired',
      retired_at: '2026-01-01T00:00:00Z',
      trust: 'confirmed',
      origin: { channel: 'command' },
    };
    const merged = mergeUpdate(kept, next(kept, forged), NOW, all);
    expect(merged).toMatchObject({
      ok: true,
      value: {
        record: {
          created_at: old.created_at,
          schema_version: '1.0',
          category: 'decision',
          id: 'sample',
          record_status: 'active',
          trust: 'quarantined',
          origin: { channel: 'capture' },
        },
      },
    });
    expect(merged.ok && merged.value.record.retired_at).toBeUndefined();
  });

  it.each([
    ['a tag dropped below the cap', old, { tags: ['one'] }, 'tags', 'grow-only (below cap of 12)'],
    ['a tag dropped at the cap with none added', sample('decision', { tags: twelve }), { tags: twelve.slice(1) }, 'tags', 'no net shrink without addition'],
    ['an existing file dropped', old, { related_files: [] }, 'related_files', 'grow-only (cannot remove existing file reference)'],
    ['history rewritten', old, { changes: [{ date: '2026-01-10T10:00:00Z', summary: 'Rewritten' }, ADDED] }, 'changes', 'append-only'],
    ['history shortened', old, { changes: [] }, 'changes', 'append-only'],
    ['no new change', old, { changes: old.changes }, 'changes', 'append-only (new entry required)'],
  ])('refuses %s', (_what, before, change, field, rule) => {
    expect(mergeUpdate(before, next(before, change), NOW, all)).toMatchObject({ ok: false, error: { code: 'MERGE_ERROR', fields: [field], rule } });
  });

  it('lets a dangling file go', () => {
    expect(mergeUpdate(old, next(old, { related_files: [] }), NOW, none)).toMatchObject({ ok: true, value: { record: { related_files: [] } } });
  });

  it('records which tags made room at the cap', () => {
    const full = sample('decision', { tags: twelve });
    const merged = mergeUpdate(full, next(full, { tags: [...twelve.slice(1), 'new'] }), NOW, all);
    expect(merged.ok && merged.value.record.changes?.at(-1)).toMatchObject({ field: 'tags', old_value: ['t00'], new_value: ['new'] });
  });

  it('logs a changed scalar by itself, once', () => {
    const constraint = sample('constraint');
    const off = { ...constraint.content, active: false };
    const silent = mergeUpdate(constraint, { ...next(constraint), changes: constraint.changes, content: off }, NOW, all);
    expect(silent.ok && silent.value.record.changes).toHaveLength(2);
    expect(silent.ok && silent.value.record.changes?.[1]).toMatchObject({ field: 'content.active', old_value: true, new_value: false });
    const told = mergeUpdate(
      constraint,
      next(constraint, { content: off, changes: [...constraint.changes!, { ...ADDED, field: 'content.active' }] }),
      NOW,
      all,
    );
    expect(told.ok && told.value.record.changes).toHaveLength(2);
  });

  it('warns when a list shrinks', () => {
    const shrunk = mergeUpdate(old, next(old, { content: { ...old.content, alternatives: [] } }), NOW, all);
    expect(shrunk).toMatchObject({ ok: true, value: { warnings: ['content.alternatives went from 1 to 0 items'] } });
  });

  it('never loses a change below the cap and never keeps more than 50', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 60 }), (before, added) => {
        const entry = (n: number): object => ({ date: '2026-01-01T00:00:00Z', summary: `c${n}` });
        const start = sample('decision', { changes: Array.from({ length: before }, (_, n) => entry(n)) });
        const merged = mergeUpdate(start, { ...start, changes: [...start.changes!, ...Array.from({ length: added }, (_, n) => entry(before + n))] }, NOW, all);
        if (!merged.ok) throw new Error(merged.error.message);
        const kept = merged.value.record.changes!;
        expect(kept).toHaveLength(Math.min(50, before + added));
        expect(kept.at(-1)?.summary).toBe(`c${before + added - 1}`);
      }),
    );
  });
});
