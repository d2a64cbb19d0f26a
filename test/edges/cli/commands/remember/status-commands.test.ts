import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUseSqlite, DECISION, documentsOf, draftFile, program, type Program } from '../../program.ts';

type Shown = { readonly record: Record<string, unknown>; readonly hash: string; readonly file: string };

const show = (cli: Program, id: string, ...more: string[]): Shown => cli.ask('show', id, ...more) as unknown as Shown;
const statusOf = (cli: Program, id: string): unknown => show(cli, id).record['record_status'];
const found = (cli: Program, query: string, ...more: string[]): readonly string[] =>
  (cli.ask('search', query, ...more)['hits'] as { id: string }[]).map(({ id }) => id);
const operations = (cli: Program, ...argv: string[]): readonly unknown[] =>
  documentsOf(cli.run('log', ...argv, '--json')).map(({ op, undone }) => (undone === true ? `${String(op)} (undone)` : op));

/** The next version of a record, with the entry in `changes` that an update needs. */
function nextVersion(cli: Program, { record }: Shown, changed: object): string {
  const changes = [...(record['changes'] as object[]), { date: '2026-01-01T00:00:00Z', summary: 'Changed' }];
  return draftFile(cli, 'next.json', { ...record, ...changed, changes });
}

describe("a record's life", () => {
  it('goes from save to retire, restore, archive and back, with every step in the log', () => {
    const cli = program();
    createUseSqlite(cli);
    const first = show(cli, 'use-sqlite');
    const next = nextVersion(cli, first, { content: { ...DECISION.content, decision: 'SQLite in WAL mode' } });
    const update = ['write', '--action', 'update', '--category', 'decision', '--target', 'decisions/use-sqlite.md', '--input', next, '--hash', first.hash];
    expect(cli.ask(...update)).toMatchObject({ status: 'updated', times_updated: 1 });
    expect(cli.refused(...update)).toMatchObject({ exit: 3, error: 'OCC_CONFLICT' });
    expect(found(cli, 'wal mode')).toEqual(['decision/use-sqlite']);

    expect(cli.ask('retire', 'use-sqlite', '--reason', 'moved to PostgreSQL')).toMatchObject({ status: 'retired' });
    expect(show(cli, 'use-sqlite').record).toMatchObject({ record_status: 'retired', retired_reason: 'moved to PostgreSQL' });
    expect(found(cli, 'wal mode')).toEqual([]);
    expect(found(cli, 'wal mode', '--include-retired')).toEqual(['decision/use-sqlite']);
    expect(cli.ask('retire', 'use-sqlite')).toMatchObject({ status: 'already_retired' });
    expect(cli.ask('restore', 'decision/use-sqlite')).toMatchObject({ status: 'restored' });
    expect(found(cli, 'wal mode')).toEqual(['decision/use-sqlite']);
    expect(cli.ask('archive', 'use-sqlite', '--reason', 'history')).toMatchObject({ status: 'archived', reason: 'history' });
    expect(found(cli, 'wal mode')).toEqual([]);
    expect(cli.ask('unarchive', 'decisions/use-sqlite.md')).toMatchObject({ status: 'unarchived' });

    expect(operations(cli)).toEqual(['unarchive', 'archive', 'restore', 'retire', 'update', 'create']);
    expect(cli.ask('diff', 'use-sqlite', '2')['text']).toMatch(/^-SQLite with FTS5\n\+SQLite in WAL mode$/m);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });

  it('is walked with the actions of write as well', () => {
    const cli = program();
    createUseSqlite(cli);
    const act = (action: string): unknown => cli.ask('write', '--action', action, '--target', 'decisions/use-sqlite.md')['status'];
    expect(['delete', 'restore', 'archive', 'unarchive', 'retire'].map(act)).toEqual(['retired', 'restored', 'archived', 'unarchived', 'retired']);
    expect(operations(cli)).toEqual(['retire', 'unarchive', 'archive', 'restore', 'retire', 'create']);
  });

  it('is undone step by step, several at once, and redone', () => {
    const cli = program();
    createUseSqlite(cli);
    const original = fs.readFileSync(show(cli, 'use-sqlite').file, 'utf8');
    cli.ask('confirm', 'use-sqlite');
    cli.ask('retire', 'use-sqlite');
    const retired = fs.readFileSync(show(cli, 'use-sqlite').file, 'utf8');

    expect(cli.ask('undo', '2')).toEqual({ ok: true, undone: [expect.objectContaining({ group: '3' }), expect.objectContaining({ group: '2' })] });
    expect(fs.readFileSync(show(cli, 'use-sqlite').file, 'utf8')).toBe(original);
    expect(operations(cli)).toEqual(['undo', 'undo', 'retire (undone)', 'confirm (undone)', 'create']);

    const [undo] = documentsOf(cli.run('log', '--json')) as unknown as readonly [{ group: string }];
    expect(cli.ask('undo', '--action', undo.group)).toMatchObject({ ok: true });
    expect(fs.readFileSync(show(cli, 'use-sqlite').file, 'utf8')).toBe(retired);

    expect(cli.refused('undo', '--action', '1')).toMatchObject({ exit: 1, error: 'UNDO_CONFLICT' });
  });

  it('undoes its creation, and then there is nothing to undo', () => {
    const cli = program();
    const { file } = createUseSqlite(cli) as { file: string };
    expect(cli.ask('undo')).toMatchObject({ undone: [{ entries: [{ outcome: 'removed', op: 'create' }] }] });
    expect(fs.existsSync(file)).toBe(false);
    expect(cli.refused('show', 'use-sqlite')).toMatchObject({ exit: 4 });
    expect(cli.refused('undo')).toMatchObject({ exit: 1, error: 'NOTHING_TO_UNDO' });
    expect(cli.ask('undo', '--action', '2')).toMatchObject({ ok: true });
    expect(statusOf(cli, 'use-sqlite')).toBe('active');
  });

  it('is not undone over what was changed since', () => {
    const cli = program();
    const { file } = createUseSqlite(cli) as { file: string };
    fs.appendFileSync(file, '\nA note by hand.\n');
    expect(cli.refused('undo')).toMatchObject({ exit: 1, error: 'UNDO_CONFLICT' });
    expect(fs.readFileSync(file, 'utf8')).toContain('A note by hand.');
  });

  it('leaves drafts behind that were staged and never saved, and gc clears them when they are old', () => {
    const cli = program();
    createUseSqlite(cli);
    const staged = path.join(cli.home, 'holdfast', 'staging', 'session-1');
    const draft = path.join(staged, '.memory-draft-decision-1.json');
    fs.mkdirSync(staged, { recursive: true });
    fs.writeFileSync(draft, '{}');
    expect(cli.ask('gc')).toMatchObject({ staged: [], staging_keep_days: 14 });
    const monthAgo = new Date(Date.now() - 30 * 86_400_000);
    for (const one of [draft, staged]) fs.utimesSync(one, monthAgo, monthAgo);
    expect(cli.run('gc', '--dry-run').out).toBe(`would be deleted, staged and never saved: ${staged}\n`);
    expect(fs.existsSync(draft)).toBe(true);
    expect(cli.ask('gc')).toMatchObject({ staged: [{ path: staged, files: 1, bytes: 2 }] });
    expect(fs.existsSync(staged)).toBe(false);
  });

  it('ends with gc, which says first what it would do and can be undone', () => {
    const cli = program();
    const { file } = createUseSqlite(cli) as { file: string };
    cli.ask('retire', 'use-sqlite');
    expect(cli.ask('gc', '--dry-run')).toMatchObject({ dry_run: true, deleted: [] });
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^retired_at: .*$/m, 'retired_at: 2020-01-01T00:00:00Z'));
    expect(cli.ask('gc', '--dry-run')).toMatchObject({ dry_run: true, deleted: ['use-sqlite.md'] });
    expect(cli.run('gc', '--dry-run').out).toBe('would be deleted: use-sqlite.md\n');
    expect(fs.existsSync(file)).toBe(true);
    expect(cli.run('gc')).toMatchObject({ code: 0, out: 'deleted: use-sqlite.md\n' });
    expect(fs.existsSync(file)).toBe(false);
    expect(cli.ask('undo')).toMatchObject({ undone: [{ entries: [{ op: 'purge', outcome: 'restored' }] }] });
    expect(statusOf(cli, 'use-sqlite')).toBe('retired');
  });

  it('keeps the newest session summaries and says what leaves view', () => {
    const cli = program();
    cli.ask('config', 'set', 'categories.session_summary.max_retained', '1');
    const session = (number: number): string =>
      draftFile(cli, `s${number}.json`, {
        title: `Session ${number}`,
        tags: ['s'],
        created_at: `2026-01-0${number}T00:00:00Z`,
        origin: { channel: 'command', session_id: `session-${number}` },
        content: { goal: 'g', outcome: 'success', completed: [`wrote chapter ${number}`], next_actions: [] },
      });
    cli.ask('save', 'session_summary', '--input', session(1));
    const second = cli.run('save', 'session', '--input', session(2), '--json');
    expect(documentsOf(second)).toEqual([expect.objectContaining({ retired: ['session-1'], target: 'sessions/session-2.md' })]);
    expect(second.err).toMatch(
      /^note WARNING: Session session-1 contains unique content not captured elsewhere: wrote chapter 1\. Consider saving these before retirement\.\n$/,
    );
    expect(show(cli, 'session-1').record).toMatchObject({ record_status: 'retired', retired_reason: 'Session rolling window: exceeded max_retained limit' });
    cli.ask('undo');
    expect(statusOf(cli, 'session-1')).toBe('active');
  });
});

describe('the flags of the document', () => {
  it('do what the words do: --retire, --restore, --archive, --list-archived, --unarchive, --gc', () => {
    const cli = program();
    cli.ask('save', 'decision', 'Use SQLite because it needs no server');
    const id = 'use-sqlite-because-it-needs-no-server';
    expect(cli.ask('--retire', id)).toMatchObject({ status: 'retired' });
    expect(cli.ask('--restore', id)).toMatchObject({ status: 'restored' });
    expect(cli.ask('--archive', id)).toMatchObject({ status: 'archived' });
    expect(cli.ask('--list-archived')).toMatchObject({ records: [{ id: `decision/${id}` }] });
    expect(cli.ask('--unarchive', id)).toMatchObject({ status: 'unarchived' });
    cli.ask('--retire', id);
    expect(cli.ask('--gc')).toMatchObject({ deleted: [] });
    const { file } = show(cli, id);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^retired_at: .*$/m, 'retired_at: 2020-01-01T00:00:00Z'));
    expect([cli.ask('--gc')['deleted'], fs.existsSync(file)]).toEqual([[path.basename(file)], false]);
  });
});

describe('what is archived', () => {
  it('is listed, and listed no more when it is back', () => {
    const cli = program();
    createUseSqlite(cli);
    expect(cli.run('archive', '--list').out).toBe('No archived records.\n');
    cli.ask('archive', 'use-sqlite');
    expect(cli.run('archive', '--list').out).toBe('d90y  Use SQLite  decision/use-sqlite\n');
    expect(cli.ask('archive', '--list')).toMatchObject({ records: [{ id: 'decision/use-sqlite', root: 'private', path: 'decisions/use-sqlite.md' }] });
    expect(cli.refused('archive', '--list', 'use-sqlite')).toMatchObject({ exit: 2, error: 'USAGE_ERROR' });
    cli.ask('unarchive', 'use-sqlite');
    expect(cli.ask('archive', '--list')).toEqual({ ok: true, records: [] });
  });
});

describe('candidate', () => {
  it('looks where --root says, and in every root without it', () => {
    const cli = program();
    createUseSqlite(cli);
    const ask = (...root: string[]): unknown =>
      (cli.ask('candidate', '--category', 'decision', '--new-info', 'Use SQLite for storage', ...root)['candidate'] as { path: string } | null)?.path ?? null;
    expect([ask(), ask('--root', cli.records), ask('--root', '.claude/memory')]).toEqual(['decisions/use-sqlite.md', 'decisions/use-sqlite.md', null]);
    cli.ask('share', 'use-sqlite');
    for (const shared of ['.claude/memory', './.claude/memory/', path.join(cli.project, '.claude/memory')])
      expect(ask('--root', shared), shared).toBe('decisions/use-sqlite.md');
    expect(ask('--root', cli.records)).toBe(null);
    expect(cli.refused('candidate', '--category', 'decision', '--new-info', 'x', '--root', 'elsewhere')).toMatchObject({ exit: 1, error: 'PATH_ERROR' });
  });
});

describe('a new title', () => {
  it('renames the file, and the old name still finds the record', () => {
    const cli = program();
    createUseSqlite(cli);
    const first = show(cli, 'use-sqlite');
    const draft = nextVersion(cli, first, { title: 'PostgreSQL holds everything' });
    expect(cli.ask('write', '--action', 'update', '--target', 'decisions/use-sqlite.md', '--input', draft, '--hash', first.hash)).toMatchObject({
      id: 'decision/postgresql-holds-everything',
      renamed_from: 'decisions/use-sqlite.md',
    });
    expect(show(cli, 'use-sqlite').record).toMatchObject({ id: 'postgresql-holds-everything' });
    expect(operations(cli, 'postgresql-holds-everything')).toEqual(expect.arrayContaining(['rename', 'create']));
    cli.ask('undo');
    expect(show(cli, 'use-sqlite').record).toMatchObject({ id: 'use-sqlite', title: 'Use SQLite' });
  });
});

describe('trust', () => {
  it('is what the draft says until confirm, and confirm says so once', () => {
    const cli = program();
    cli.ask('save', 'constraint', 'At most 100 requests a minute', '--title', 'Rate limit', '--trust', 'observed');
    expect(show(cli, 'rate-limit').record).toMatchObject({ trust: 'observed', confidence: 0.8 });
    expect(cli.ask('confirm', 'rate-limit')).toMatchObject({ status: 'confirmed' });
    expect(show(cli, 'rate-limit').record).toMatchObject({ trust: 'confirmed' });
    expect(cli.ask('confirm', 'rate-limit')).toMatchObject({ status: 'already_confirmed' });
  });
});

describe('share', () => {
  it('moves a record into the project and back, and undo moves it too', () => {
    const cli = program();
    createUseSqlite(cli);
    const shared = path.join(cli.project, '.claude/memory/decisions/use-sqlite.md');
    const kept = path.join(cli.records, 'decisions/use-sqlite.md');
    const places = (): readonly boolean[] => [fs.existsSync(kept), fs.existsSync(shared)];
    expect(cli.ask('share', 'use-sqlite')).toMatchObject({ status: 'shared', root: 'shared', file: shared });
    expect(places()).toEqual([false, true]);
    expect(show(cli, 'use-sqlite').record).toMatchObject({ scope: 'shared' });
    expect(fs.readFileSync(path.join(cli.records, 'index.md'), 'utf8')).toContain(
      '- [DECISION] Use SQLite -> .claude/memory/decisions/use-sqlite.md #tags:storage',
    );
    expect(fs.readdirSync(path.join(cli.project, '.claude/memory'))).toEqual(['decisions']);
    expect(cli.ask('share', 'use-sqlite')).toMatchObject({ status: 'already_shared' });
    expect(found(cli, 'sqlite')).toEqual(['decision/use-sqlite']);
    expect(cli.ask('share', 'use-sqlite', '--private')).toMatchObject({ status: 'private', root: 'private' });
    expect(places()).toEqual([true, false]);
    cli.ask('undo');
    expect(places()).toEqual([false, true]);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });

  it('is not needed for a record that is saved there, or where all are', () => {
    const cli = program();
    expect(cli.ask('save', 'constraint', 'No network in tests', '--shared')).toMatchObject({
      root: 'shared',
      file: expect.stringContaining(path.join(cli.project, '.claude/memory/constraints/')),
    });
    cli.ask('config', 'set', 'storage.root', 'shared');
    expect(cli.ask('save', 'constraint', 'No sleep in tests')).toMatchObject({ root: 'shared' });
    expect(cli.ask('write', '--action', 'retire', '--target', '.claude/memory/constraints/no-sleep-in-tests.md')).toMatchObject({
      root: 'shared',
      status: 'retired',
    });
  });
});

describe('a folder whose .claude is the home', () => {
  it('has nothing to share into, and says so', () => {
    const cli = program();
    const argv = ['save', 'decision', 'Use SQLite', '--shared', '--home', path.join(cli.project, '.claude')];
    expect(cli.refused(...argv)).toMatchObject({ exit: 2, error: 'USAGE_ERROR', message: expect.stringContaining('no shared root') });
    expect(fs.readdirSync(cli.project)).toEqual([]);
  });
});

describe("the user's own memory", () => {
  it('is apart from every project and has the same life', () => {
    const cli = program();
    expect(cli.ask('save', 'preference', 'Tests live beside the code', '--title', 'Tests', '--user')).toMatchObject({
      root: 'user',
      file: path.join(cli.home, 'user/preferences/tests.md'),
    });
    expect(show(cli, 'tests', '--user').record).toMatchObject({ scope: 'user' });
    expect(found(cli, 'tests', '--user')).toEqual(['preference/tests']);
    expect(cli.refused('show', 'tests')).toMatchObject({ exit: 4 });
    expect(cli.ask('retire', 'tests', '--user')).toMatchObject({ status: 'retired' });
    expect(operations(cli, 'tests', '--user')).toEqual(['retire', 'create']);
    expect(cli.ask('diff', 'tests', '--user')['text']).toContain('+record_status: retired');
    expect(cli.ask('undo', '--user')).toMatchObject({ ok: true });
    expect(cli.ask('rebuild', '--user')).toMatchObject({ entries: 1 });
    expect(cli.ask('doctor', '--user')).toMatchObject({ ok: true });
    expect(cli.ask('gc', '--user')).toMatchObject({ deleted: [] });
    expect(cli.ask('status')).toMatchObject({ writes: 0 });
  });
});

describe('what a setting forbids', () => {
  it('is refused with its own code', () => {
    const cli = program();
    cli.ask('config', 'set', 'max_memories_per_category', '1');
    cli.ask('config', 'set', 'categories.runbook.enabled', 'false');
    createUseSqlite(cli);
    expect(cli.refused('save', 'decision', 'One too many')).toMatchObject({ exit: 1, error: 'CATEGORY_FULL' });
    expect(cli.refused('save', 'runbook', 'Restart it')).toMatchObject({ exit: 1, error: 'CATEGORY_DISABLED' });
  });
});
