import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { saveSummary } from '../../../src/app/episodes/save-summary.ts';
import { synthesize } from '../../../src/app/synthesis/synthesize.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import { must, openMemory, save } from '../memory.ts';

const summary = (completed: readonly string[], ended: string): Draft => ({
  created_at: ended,
  title: 'Make the importer skip empty rows',
  tags: ['importer'],
  content: { goal: 'Make the importer skip empty rows', outcome: 'success', completed, in_progress: [], blockers: [], next_actions: [], key_changes: [] },
});

describe('a summary that the user approved', () => {
  it.each(['command', 'agent', 'shell'])('and %s saved is not replaced by the automatic one at the end of the session', async (actor) => {
    const { memory, at } = openMemory();
    const approved = must(await saveSummary(memory, 's1', summary(['Rows without a price are skipped'], '2026-03-01T11:59:00Z'), { actor }));
    at('2026-03-01T12:00:02Z');
    const again = must(await saveSummary(memory, 's1', summary(['Something else was done'], '2026-03-01T12:00:01Z'), { actor: 'capture' }));
    expect(again).toMatchObject({ status: 'unchanged', hash: approved.hash });
  });

  it('gets what was done long after it, under a label of its own, once', async () => {
    const { memory, at } = openMemory();
    must(await saveSummary(memory, 's1', summary(['Rows without a price are skipped'], '2026-03-01T11:59:00Z'), { actor: 'command' }));
    at('2026-03-01T15:00:00Z');
    const later = summary(['Rows without a price are skipped', 'The export has a header'], '2026-03-01T14:59:00Z');
    expect(must(await saveSummary(memory, 's1', later, { actor: 'capture' })).record.content).toMatchObject({
      completed: ['Rows without a price are skipped'],
      tracking_points: [{ label: 'Added automatically', text: 'The export has a header' }],
    });
    expect(must(await saveSummary(memory, 's1', later, { actor: 'capture' })).status).toBe('unchanged');
  });

  it('is replaced by a newer one that the user asks for, and an automatic one by a newer automatic one', async () => {
    const { memory, at } = openMemory();
    for (const [session, actors] of [
      ['s1', ['command', 'shell']],
      ['s2', ['capture', 'capture']],
    ] as const) {
      must(await saveSummary(memory, session, summary(['One'], '2026-03-01T11:59:00Z'), { actor: actors[0] }));
      at('2026-03-01T12:00:02Z');
      const next = must(await saveSummary(memory, session, summary(['One', 'Two'], '2026-03-01T12:00:01Z'), { actor: actors[1] }));
      expect(next).toMatchObject({ status: 'updated', record: { content: { completed: ['One', 'Two'] } } });
    }
  });
});

it('a master that the user edited by hand is not made anew by itself, only when asked', async () => {
  const { memory } = openMemory();
  must(await save(memory, 'decision', { title: 'Use SQLite' }));
  const state = { docs: [], commits: [], files: [], introductions: [] };
  const asked = { full: true, state };
  const made = must(await synthesize(memory, { ...asked, actor: 'command' }));
  expect((await synthesize(memory, { ...asked, actor: 'capture' })).ok).toBe(true);
  fs.appendFileSync(made.file, '\nA paragraph of mine.\n');
  const text = fs.readFileSync(made.file, 'utf8');
  expect(await synthesize(memory, { ...asked, actor: 'capture' })).toMatchObject({ ok: false, error: { message: expect.stringContaining('edited by hand') } });
  expect(fs.readFileSync(made.file, 'utf8')).toBe(text);
  expect((await synthesize(memory, { ...asked, actor: 'command' })).ok).toBe(true);
});
