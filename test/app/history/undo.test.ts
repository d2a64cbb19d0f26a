import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffOf, logOf } from '../../../src/app/history/log.ts';
import { undo } from '../../../src/app/history/undo.ts';
import { show } from '../../../src/app/read/show.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import { replaceText } from '../../../src/app/write/edit.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { filesUnder } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';

const by = { actor: 'test' };

describe('undo', () => {
  it('takes back creates, moves and edits, newest first, and lists what was undone', async () => {
    const { memory, root } = openMemory();
    const { place, file } = must(await save(memory, 'decision'));
    const created = fs.readFileSync(file, 'utf8');
    must(await moveRecord(memory, 'retire', place, by));
    expect(must(await undo(memory, by))).toMatchObject([{ group: '2', entries: [{ outcome: 'restored' }] }]);
    expect(fs.readFileSync(file, 'utf8')).toBe(created);
    must(await undo(memory, by));
    expect(fs.existsSync(path.join(root, place.path))).toBe(false);
    expect(must(await logOf(memory, undefined, 10)).map(({ seq, op, undone }) => [seq, op, undone])).toEqual([
      [4, 'undo', false],
      [3, 'undo', false],
      [2, 'retire', true],
      [1, 'create', true],
    ]);
    expect(await undo(memory, by)).toMatchObject({ ok: false, error: { code: 'NOTHING_TO_UNDO' } });
  });

  it('redoes by taking back the undo', async () => {
    const { memory, root } = openMemory();
    const { place } = must(await save(memory, 'decision'));
    const [undone] = must(await undo(memory, by));
    expect(undone?.entries[0]?.outcome).toBe('removed');
    const log = must(await logOf(memory, undefined, 1));
    must(await undo(memory, { ...by, groups: [log[0]!.group] }));
    expect(fs.existsSync(path.join(root, place.path))).toBe(true);
    expect(must(await undo(memory, by))).toMatchObject([{ group: '1' }]);
  });

  it('undoes several actions as one, and a window of sessions with the session that caused it', async () => {
    const { memory, at } = openMemory({ categories: { session_summary: { max_retained: 1 } } });
    must(await save(memory, 'session_summary', { title: 'Day 1' }, { sessionId: 's1' }));
    at('2026-03-02T12:00:00Z');
    must(await save(memory, 'session_summary', { title: 'Day 2' }, { sessionId: 's2' }));
    expect(must(await show(memory, 's1')).record?.record_status).toBe('retired');
    expect(must(await undo(memory, by))[0]?.entries).toHaveLength(2);
    expect(must(await show(memory, 's1')).record?.record_status).toBe('active');
    expect(await show(memory, 's2')).toMatchObject({ ok: false });
  });

  it('never overwrites a later change, and then changes nothing at all', async () => {
    const { memory, home } = openMemory();
    must(await save(memory, 'runbook', { title: 'First' }));
    const { file } = must(await save(memory, 'decision'));
    fs.appendFileSync(file, '\n## By hand\nyes\n');
    const before = filesUnder(path.join(home, 'projects'));
    expect(await undo(memory, { ...by, count: 2 })).toMatchObject({ ok: false, error: { code: 'UNDO_CONFLICT' } });
    expect(filesUnder(path.join(home, 'projects'))).toEqual(before);
  });

  it('knows one action by its number, and refuses an unknown one', async () => {
    const { memory } = openMemory();
    must(await save(memory, 'runbook', { title: 'First' }));
    must(await save(memory, 'runbook', { title: 'Second' }));
    must(await undo(memory, { ...by, groups: ['1'] }));
    expect(await show(memory, 'first')).toMatchObject({ ok: false });
    expect(await show(memory, 'second')).toMatchObject({ ok: true });
    expect(await undo(memory, { ...by, groups: ['99'] })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  it('brings any number of actions back to the files as they were before them', async () => {
    const step = fc.constantFrom('create', 'retire', 'restore', 'archive', 'unarchive', 'edit');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat({ max: 7 }), async (steps, back) => {
        const { memory, home } = openMemory();
        must(await save(memory, 'decision', { title: 'Base' }));
        const states = [records(home)];
        for (const [n, action] of steps.entries()) {
          if (await act(memory, action, n)) states.push(records(home));
        }
        const count = Math.min(back, states.length - 1);
        if (count === 0) return;
        must(await undo(memory, { ...by, count }));
        expect(records(home)).toEqual(states[states.length - 1 - count]);
      }),
      { numRuns: 25 },
    );
  });
});

const records = (home: string): Record<string, string> =>
  Object.fromEntries(Object.entries(filesUnder(path.join(home, 'projects'))).filter(([name]) => name.includes('/decisions/') || name.includes('/runbooks/')));

/** Does one step to the base record; false when it changed nothing. */
async function act(memory: Memory, action: string, n: number): Promise<boolean> {
  if (action === 'create') {
    const content = { trigger: 't', steps: [String(n)], verification: 'v' };
    return (await createRecord(memory, { category: 'runbook', draft: { title: `Step ${n}`, tags: [], content }, root: 'private', actor: 'test' })).ok;
  }
  const { item, text, hash } = must(await show(memory, 'decision/base'));
  const place = { root: item.root, path: item.path };
  if (action === 'edit') return must(await replaceText(memory, place, `${text}\nline ${n}\n`, hash, by)).status === 'updated';
  const moved = await moveRecord(memory, action as 'retire', place, by);
  return moved.ok && !moved.value.status.startsWith('already');
}

describe('log and diff', () => {
  it('shows what each write of a record changed', async () => {
    const { memory } = openMemory();
    const { place } = must(await save(memory, 'decision'));
    must(await moveRecord(memory, 'archive', place, { ...by, reason: 'history' }));
    expect(must(await diffOf(memory, 'a-decision')).text).toContain('+archived_reason: history');
    expect(must(await diffOf(memory, 'a-decision', 1)).text).toContain('+category: decision');
    expect(await diffOf(memory, 'a-decision', 9)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await logOf(memory, 'nothing', 5)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(must(await logOf(memory, 'decision/a-decision', 1))).toMatchObject([{ op: 'archive', reason: 'history' }]);
  });
});
