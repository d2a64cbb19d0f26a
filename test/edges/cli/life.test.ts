import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUseSqlite, DECISION, documentsOf, draftFile, program, type Program } from './program.ts';

type Shown = { readonly record: Record<string, unknown>; readonly hash: string; readonly file: string };

const show = (it: Program, id: string, ...more: string[]): Shown => it.ask('show', id, ...more) as unknown as Shown;
const statusOf = (it: Program, id: string): unknown => show(it, id).record['record_status'];
const found = (it: Program, query: string, ...more: string[]): readonly string[] =>
  (it.ask('search', query, ...more)['hits'] as { id: string }[]).map(({ id }) => id);
const operations = (it: Program, ...argv: string[]): readonly unknown[] =>
  documentsOf(it.run('log', ...argv, '--json')).map(({ op, undone }) => (undone === true ? `${String(op)} (undone)` : op));

/** The next version of a record, with the entry in `changes` that an update needs. */
function nextVersion(it: Program, { record }: Shown, changed: object): string {
  const changes = [...(record['changes'] as object[]), { date: '2026-01-01T00:00:00Z', summary: 'Changed' }];
  return draftFile(it, 'next.json', { ...record, ...changed, changes });
}

describe("a record's life", () => {
  it('goes from save to retire, restore, archive and back, with every step in the log', () => {
    const it = program();
    createUseSqlite(it);
    const first = show(it, 'use-sqlite');
    const next = nextVersion(it, first, { content: { ...DECISION.content, decision: 'SQLite in WAL mode' } });
    const update = ['write', '--action', 'update', '--category', 'decision', '--target', 'decisions/use-sqlite.md', '--input', next, '--hash', first.hash];
    expect(it.ask(...update)).toMatchObject({ status: 'updated', times_updated: 1 });
    expect(it.refused(...update)).toMatchObject({ exit: 3, error: 'OCC_CONFLICT' });
    expect(found(it, 'wal mode')).toEqual(['decision/use-sqlite']);

    expect(it.ask('retire', 'use-sqlite', '--reason', 'moved to PostgreSQL')).toMatchObject({ status: 'retired' });
    expect(show(it, 'use-sqlite').record).toMatchObject({ record_status: 'retired', retired_reason: 'moved to PostgreSQL' });
    expect(found(it, 'wal mode')).toEqual([]);
    expect(found(it, 'wal mode', '--include-retired')).toEqual(['decision/use-sqlite']);
    expect(it.ask('retire', 'use-sqlite')).toMatchObject({ status: 'already_retired' });
    expect(it.ask('restore', 'decision/use-sqlite')).toMatchObject({ status: 'restored' });
    expect(found(it, 'wal mode')).toEqual(['decision/use-sqlite']);
    expect(it.ask('archive', 'use-sqlite', '--reason', 'history')).toMatchObject({ status: 'archived', reason: 'history' });
    expect(found(it, 'wal mode')).toEqual([]);
    expect(it.ask('unarchive', 'decisions/use-sqlite.md')).toMatchObject({ status: 'unarchived' });

    expect(operations(it)).toEqual(['unarchive', 'archive', 'restore', 'retire', 'update', 'create']);
    expect(it.ask('diff', 'use-sqlite', '2')['text']).toMatch(/^-SQLite with FTS5\n\+SQLite in WAL mode$/m);
    expect(it.run('doctor')).toMatchObject({ code: 0 });
  });

  it('is walked with the actions of write as well', () => {
    const it = program();
    createUseSqlite(it);
    const act = (action: string): unknown => it.ask('write', '--action', action, '--target', 'decisions/use-sqlite.md')['status'];
    expect(['delete', 'restore', 'archive', 'unarchive', 'retire'].map(act)).toEqual(['retired', 'restored', 'archived', 'unarchived', 'retired']);
    expect(operations(it)).toEqual(['retire', 'unarchive', 'archive', 'restore', 'retire', 'create']);
  });

  it('is undone step by step, several at once, and redone', () => {
    const it = program();
    createUseSqlite(it);
    const original = fs.readFileSync(show(it, 'use-sqlite').file, 'utf8');
    it.ask('confirm', 'use-sqlite');
    it.ask('retire', 'use-sqlite');
    const retired = fs.readFileSync(show(it, 'use-sqlite').file, 'utf8');

    expect(it.ask('undo', '2')).toEqual({ ok: true, undone: [expect.objectContaining({ group: '3' }), expect.objectContaining({ group: '2' })] });
    expect(fs.readFileSync(show(it, 'use-sqlite').file, 'utf8')).toBe(original);
    expect(operations(it)).toEqual(['undo', 'undo', 'retire (undone)', 'confirm (undone)', 'create']);

    const [undo] = documentsOf(it.run('log', '--json')) as unknown as readonly [{ group: string }];
    expect(it.ask('undo', '--action', undo.group)).toMatchObject({ ok: true });
    expect(fs.readFileSync(show(it, 'use-sqlite').file, 'utf8')).toBe(retired);

    expect(it.refused('undo', '--action', '1')).toMatchObject({ exit: 1, error: 'UNDO_CONFLICT' });
  });

  it('undoes its creation, and then there is nothing to undo', () => {
    const it = program();
    const { file } = createUseSqlite(it) as { file: string };
    expect(it.ask('undo')).toMatchObject({ undone: [{ entries: [{ outcome: 'removed', op: 'create' }] }] });
    expect(fs.existsSync(file)).toBe(false);
    expect(it.refused('show', 'use-sqlite')).toMatchObject({ exit: 4 });
    expect(it.refused('undo')).toMatchObject({ exit: 1, error: 'NOTHING_TO_UNDO' });
    expect(it.ask('undo', '--action', '2')).toMatchObject({ ok: true });
    expect(statusOf(it, 'use-sqlite')).toBe('active');
  });

  it('is not undone over what was changed since', () => {
    const it = program();
    const { file } = createUseSqlite(it) as { file: string };
    fs.appendFileSync(file, '\nA note by hand.\n');
    expect(it.refused('undo')).toMatchObject({ exit: 1, error: 'UNDO_CONFLICT' });
    expect(fs.readFileSync(file, 'utf8')).toContain('A note by hand.');
  });

  it('ends with gc, which says first what it would do and can be undone', () => {
    const it = program();
    const { file } = createUseSqlite(it) as { file: string };
    it.ask('retire', 'use-sqlite');
    expect(it.ask('gc', '--dry-run')).toMatchObject({ dry_run: true, deleted: [] });
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^retired_at: .*$/m, 'retired_at: 2020-01-01T00:00:00Z'));
    expect(it.ask('gc', '--dry-run')).toMatchObject({ dry_run: true, deleted: ['use-sqlite.md'] });
    expect(it.run('gc', '--dry-run').out).toBe('would be purged: use-sqlite.md\n');
    expect(fs.existsSync(file)).toBe(true);
    expect(it.run('gc')).toMatchObject({ code: 0, out: 'purged: use-sqlite.md\n' });
    expect(fs.existsSync(file)).toBe(false);
    expect(it.ask('undo')).toMatchObject({ undone: [{ entries: [{ op: 'purge', outcome: 'restored' }] }] });
    expect(statusOf(it, 'use-sqlite')).toBe('retired');
  });

  it('keeps the newest session summaries and says what leaves view', () => {
    const it = program();
    it.ask('config', 'set', 'categories.session_summary.max_retained', '1');
    const session = (number: number): string =>
      draftFile(it, `s${number}.json`, {
        title: `Session ${number}`,
        tags: ['s'],
        created_at: `2026-01-0${number}T00:00:00Z`,
        origin: { channel: 'command', session_id: `session-${number}` },
        content: { goal: 'g', outcome: 'success', completed: [`wrote chapter ${number}`], next_actions: [] },
      });
    it.ask('save', 'session_summary', '--input', session(1));
    const second = it.run('save', 'session', '--input', session(2), '--json');
    expect(documentsOf(second)).toEqual([expect.objectContaining({ retired: ['session-1'], target: 'sessions/session-2.md' })]);
    expect(second.err).toMatch(
      /^note WARNING: Session session-1 contains unique content not captured elsewhere: wrote chapter 1\. Consider saving these before retirement\.\n$/,
    );
    expect(show(it, 'session-1').record).toMatchObject({ record_status: 'retired', retired_reason: 'Session rolling window: exceeded max_retained limit' });
    it.ask('undo');
    expect(statusOf(it, 'session-1')).toBe('active');
  });
});

describe('a new title', () => {
  it('renames the file, and the old name still finds the record', () => {
    const it = program();
    createUseSqlite(it);
    const first = show(it, 'use-sqlite');
    const draft = nextVersion(it, first, { title: 'PostgreSQL holds everything' });
    expect(it.ask('write', '--action', 'update', '--target', 'decisions/use-sqlite.md', '--input', draft, '--hash', first.hash)).toMatchObject({
      id: 'postgresql-holds-everything',
      renamed_from: 'decisions/use-sqlite.md',
    });
    expect(show(it, 'use-sqlite').record).toMatchObject({ id: 'postgresql-holds-everything' });
    expect(operations(it, 'postgresql-holds-everything')).toEqual(expect.arrayContaining(['rename', 'create']));
    it.ask('undo');
    expect(show(it, 'use-sqlite').record).toMatchObject({ id: 'use-sqlite', title: 'Use SQLite' });
  });
});

describe('trust', () => {
  it('is what the draft says until confirm, and confirm says so once', () => {
    const it = program();
    it.ask('save', 'constraint', 'At most 100 requests a minute', '--title', 'Rate limit', '--trust', 'observed');
    expect(show(it, 'rate-limit').record).toMatchObject({ trust: 'observed', confidence: 0.8 });
    expect(it.ask('confirm', 'rate-limit')).toMatchObject({ status: 'confirmed' });
    expect(show(it, 'rate-limit').record).toMatchObject({ trust: 'confirmed' });
    expect(it.ask('confirm', 'rate-limit')).toMatchObject({ status: 'already_confirmed' });
  });
});

describe('share', () => {
  it('moves a record into the project and back, and undo moves it too', () => {
    const it = program();
    createUseSqlite(it);
    const shared = path.join(it.project, '.claude/memory/decisions/use-sqlite.md');
    const kept = path.join(it.records, 'decisions/use-sqlite.md');
    const places = (): readonly boolean[] => [fs.existsSync(kept), fs.existsSync(shared)];
    expect(it.ask('share', 'use-sqlite')).toMatchObject({ status: 'shared', root: 'shared', file: shared });
    expect(places()).toEqual([false, true]);
    expect(show(it, 'use-sqlite').record).toMatchObject({ scope: 'shared' });
    expect(fs.readFileSync(path.join(it.project, '.claude/memory/index.md'), 'utf8')).toContain(
      '- [DECISION] Use SQLite -> .claude/memory/decisions/use-sqlite.md #tags:storage',
    );
    expect(fs.readFileSync(path.join(it.records, 'index.md'), 'utf8')).not.toContain('Use SQLite');
    expect(it.ask('share', 'use-sqlite')).toMatchObject({ status: 'already_shared' });
    expect(found(it, 'sqlite')).toEqual(['decision/use-sqlite']);
    expect(it.ask('share', 'use-sqlite', '--private')).toMatchObject({ status: 'private', root: 'private' });
    expect(places()).toEqual([true, false]);
    it.ask('undo');
    expect(places()).toEqual([false, true]);
    expect(it.run('doctor')).toMatchObject({ code: 0 });
  });

  it('is not needed for a record that is saved there, or where all are', () => {
    const it = program();
    expect(it.ask('save', 'constraint', 'No network in tests', '--shared')).toMatchObject({
      root: 'shared',
      file: expect.stringContaining(path.join(it.project, '.claude/memory/constraints/')),
    });
    it.ask('config', 'set', 'storage.root', 'shared');
    expect(it.ask('save', 'constraint', 'No sleep in tests')).toMatchObject({ root: 'shared' });
    expect(it.ask('write', '--action', 'retire', '--target', '.claude/memory/constraints/no-sleep-in-tests.md')).toMatchObject({
      root: 'shared',
      status: 'retired',
    });
  });
});

describe("the user's own memory", () => {
  it('is apart from every project and has the same life', () => {
    const it = program();
    expect(it.ask('save', 'preference', 'Tests live beside the code', '--title', 'Tests', '--user')).toMatchObject({
      root: 'user',
      file: path.join(it.home, 'user/preferences/tests.md'),
    });
    expect(show(it, 'tests', '--user').record).toMatchObject({ scope: 'user' });
    expect(found(it, 'tests', '--user')).toEqual(['preference/tests']);
    expect(it.refused('show', 'tests')).toMatchObject({ exit: 4 });
    expect(it.ask('retire', 'tests', '--user')).toMatchObject({ status: 'retired' });
    expect(operations(it, 'tests', '--user')).toEqual(['retire', 'create']);
    expect(it.ask('diff', 'tests', '--user')['text']).toContain('+record_status: retired');
    expect(it.ask('undo', '--user')).toMatchObject({ ok: true });
    expect(it.ask('rebuild', '--user')).toMatchObject({ entries: 1 });
    expect(it.ask('doctor', '--user')).toMatchObject({ ok: true });
    expect(it.ask('gc', '--user')).toMatchObject({ deleted: [] });
    expect(it.ask('status')).toMatchObject({ writes: 0 });
  });
});

describe('what a setting forbids', () => {
  it('is refused with its own code', () => {
    const it = program();
    it.ask('config', 'set', 'max_memories_per_category', '1');
    it.ask('config', 'set', 'categories.runbook.enabled', 'false');
    createUseSqlite(it);
    expect(it.refused('save', 'decision', 'One too many')).toMatchObject({ exit: 1, error: 'CATEGORY_FULL' });
    expect(it.refused('save', 'runbook', 'Restart it')).toMatchObject({ exit: 1, error: 'CATEGORY_DISABLED' });
  });
});
