import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUTO_MEMORY, claudeMemDatabase, GRAPH, INFINITE_MEMORY, lay, MEMORY_FOLDER, MEMORY_MODULE, NOTES } from '../../foreign.ts';
import { program, type Program } from '../../program.ts';
import { everythingUnder } from '../../snapshot.ts';

interface Report {
  readonly kind: string;
  readonly created: readonly string[];
  readonly known: number;
  readonly left: readonly { readonly what: string; readonly why: string }[];
  readonly in_place?: string;
}

/** A home of its own, because other tools keep their things beside the client's. */
const migrate = (cli: Program, ...argv: string[]): readonly Report[] =>
  cli.askIn({ env: { HOME: path.join(cli.folder, 'user') } }, 'migrate', ...argv)['sources'] as Report[];

const found = (cli: Program, query: string, ...more: string[]): readonly string[] =>
  (cli.ask('search', query, ...more)['hits'] as { id: string }[]).map(({ id }) => id);

const text = (cli: Program, file: string): string => fs.readFileSync(path.join(cli.records, file), 'utf8');

/** Takes a source over: dry first, then really, then again; the originals and a second run must change nothing. */
function takenOver(cli: Program, originals: string, ...argv: string[]): Report {
  const before = everythingUnder(originals);
  const [planned] = migrate(cli, ...argv, '--dry-run');
  expect(fs.existsSync(cli.records)).toBe(originals.startsWith(cli.records));
  const [done] = migrate(cli, ...argv);
  expect(done?.created).toEqual(planned?.created);
  const after = everythingUnder(cli.records);
  const [again, ...more] = migrate(cli, ...argv);
  expect(again).toMatchObject({ created: [], known: done?.created.length });
  // An imported folder belongs to Holdfast from then on, and no longer counts as another tool's.
  expect(more).toEqual([]);
  expect(everythingUnder(cli.records)).toEqual(after);
  expect(everythingUnder(originals)).toEqual(before);
  return done as Report;
}

describe('migrate', () => {
  it('moves an Infinite Memory 1.2 folder out of the project, with key and path in its session', () => {
    const cli = program();
    const old = path.join(cli.project, '.claude', 'memory');
    lay(old, INFINITE_MEMORY);
    const done = takenOver(cli, old);
    expect(done).toMatchObject({ kind: 'infinite-memory-1.2', left: [] });
    expect(JSON.parse(text(cli, '_session.json'))).toMatchObject({ started: '2026-01-05T09:00:00Z', projectKey: 'webshop', projectPath: cli.project });
    const decision = 'decisions/2026-01-05_001_use-sqlite.md';
    expect(fs.readFileSync(path.join(cli.home, 'workspace.md'), 'utf8')).toContain(cli.project);
    expect(text(cli, decision)).toBe(INFINITE_MEMORY[decision]);
    expect(text(cli, 'context/current-task.md')).toContain('Move the tide tables');
    expect(cli.ask('show', 'use-sqlite')).toMatchObject({ record: { content: { status: 'accepted', area: 'architecture' } } });
    expect(found(cli, 'tide tables SQLite')[0]).toBe('decision/use-sqlite');
    expect(found(cli, 'tide tables SQLite').filter((id) => id === 'decision/use-sqlite')).toHaveLength(1);
    cli.ask('undo');
    expect(fs.existsSync(path.join(cli.records, decision))).toBe(false);
    // The list of sessions is state, which undo does not take back.
    expect(migrate(cli)[0]?.created).toHaveLength(done.created.length - 1);
  });

  it('does not call memory active that was so elsewhere, before somebody says yes here', () => {
    const cli = program();
    lay(path.join(cli.project, '.claude', 'memory'), INFINITE_MEMORY);
    migrate(cli);
    expect(JSON.parse(text(cli, '_session.json'))).toMatchObject({ active: true });
    expect(cli.ask('status')).toMatchObject({ on: false, session: { active: false, state: { active: false }, started: '2026-01-05T09:00:00Z' } });
    expect(cli.run('status').out).toContain('memory mode INACTIVE, although a session is open since 2026-01-05 09:00');
    cli.ask('config', 'set', 'on', 'true');
    expect(cli.ask('status')).toMatchObject({ on: true, session: { active: true } });
    expect(cli.run('status').out).toContain('memory mode ACTIVE since 2026-01-05 09:00');
  });

  it('reads an Infinite Memory 1.3 folder where it stands', () => {
    const cli = program();
    lay(cli.records, INFINITE_MEMORY);
    expect(migrate(cli)).toMatchObject([{ kind: 'infinite-memory-1.3', created: [], in_place: '3 files are read as they stand, as the private root' }]);
    expect(found(cli, 'gauge twice')).toContain('analysis/src-harbour-gauge');
  });

  it('never takes a store of JSON records for an Infinite Memory folder', () => {
    const cli = program();
    cli.ask('save', 'decision', 'Use radio because flags freeze', '--shared');
    const shared = path.join(cli.project, '.claude', 'memory');
    const record = cli.ask('show', 'use-radio-because-flags-freeze')['record'] as object;
    fs.rmSync(shared, { recursive: true });
    lay(shared, { 'decisions/use-radio.json': JSON.stringify({ ...record, id: 'use-radio' }), 'index.md': '<!-- index -->\n' });
    expect(migrate(cli)).toMatchObject([{ kind: 'json-store', created: [], in_place: '1 records are read as they stand, as the shared root' }]);
    expect(found(cli, 'radio flags')).toEqual(['decision/use-radio']);
  });

  it('takes over a store of JSON records that lies somewhere else, word for word', () => {
    const cli = program();
    cli.ask('save', 'decision', 'Use radio because flags freeze', '--shared');
    const shared = path.join(cli.project, '.claude', 'memory');
    const record = cli.ask('show', 'use-radio-because-flags-freeze')['record'] as object;
    for (const folder of [shared, cli.records]) fs.rmSync(folder, { recursive: true });
    const store = path.join(cli.folder, 'other', '.claude', 'memory');
    const json = `${JSON.stringify({ ...record, id: 'use-radio', scope: undefined }, null, 2)}\n`;
    lay(store, { 'decisions/use-radio.json': json, 'index.md': '<!-- index -->\n', 'memory-config.json': '{}' });
    const done = takenOver(cli, store, store);
    expect(done).toMatchObject({ kind: 'json-store', created: ['decisions/use-radio.json'], left: [{ what: 'index.md' }, { what: 'memory-config.json' }] });
    expect(text(cli, 'decisions/use-radio.json')).toBe(json);
    expect(found(cli, 'radio flags')).toEqual(['decision/use-radio']);
  });

  it('folds a tree named by hash into the private root', () => {
    const cli = program();
    const tree = path.join(cli.home, 'projects', (cli.ask('status')['project'] as { hash: string }).hash);
    lay(tree, MEMORY_MODULE);
    const done = takenOver(cli, tree);
    expect(done).toMatchObject({ kind: 'memory-module', left: [{ what: 'memory/context.json' }] });
    for (const name of ['CLAUDE.md', 'memory/MEMORY.md', 'memory/MEMORY.md.bak', 'memory/session-ab12.md'] as const)
      expect(text(cli, name)).toBe(MEMORY_MODULE[name]);
  });

  it('takes over _memory/, its conversations as session summaries under their ids', () => {
    const cli = program();
    lay(path.join(cli.project, '_memory'), MEMORY_FOLDER);
    const done = takenOver(cli, path.join(cli.project, '_memory'));
    expect(done).toMatchObject({ kind: 'memory-folder', left: [] });
    const conversation = 'conversations/7d1c0a52-6f1e-4d0e-9b1a-1f6f3d1c2a10.md';
    expect(text(cli, conversation.replace('conversations', 'sessions'))).toBe(MEMORY_FOLDER[conversation]);
    expect(text(cli, 'master.md')).toBe(MEMORY_FOLDER['master.md']);
    expect(found(cli, 'times are kept in UTC', '--category', 'session_summary')).toEqual(['session_summary/7d1c0a52-6f1e-4d0e-9b1a-1f6f3d1c2a10']);
  });

  it("takes over the client's auto memory: index, rules and notes", () => {
    const cli = program();
    const auto = path.join(cli.home, 'projects', cli.project.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
    lay(auto, AUTO_MEMORY);
    expect(takenOver(cli, auto)).toMatchObject({ kind: 'auto-memory', left: [] });
    expect(text(cli, 'memory/auto-memory.md')).toBe(AUTO_MEMORY['MEMORY.md']);
    expect(cli.ask('show', 'lint-first')).toMatchObject({
      record: {
        category: 'preference',
        trust: 'observed',
        origin: { channel: 'migration', client: 'auto-memory' },
        content: { value: expect.stringContaining('before every commit') },
      },
    });
    expect(found(cli, 'third pier gauge')).toContain('analysis/piers');
  });

  it('takes over a knowledge graph, every observation and relation of it', () => {
    const cli = program();
    const file = path.join(cli.folder, 'memory.jsonl');
    fs.writeFileSync(file, `${GRAPH}\nnot json\n`);
    const done = takenOver(cli, file, file);
    expect(done).toMatchObject({ kind: 'knowledge-graph', left: [{ what: 'line 4', why: 'is neither an entity nor a relation' }] });
    const gauge = cli.ask('show', 'analysis/gauge')['record'] as { content: { key_findings: string[] } };
    expect(gauge.content.key_findings).toEqual(['reads every minute', 'drifts in frost', 'Gauge stands on Pier']);
    expect(cli.ask('show', 'names-of-warnings')).toMatchObject({ record: { category: 'preference', content: { reason: 'captains scan for it' } } });
    expect(cli.ask('show', 'pier')).toMatchObject({ record: { content: { key_findings: ['Gauge stands on Pier'] } } });
  });

  it('takes over basic-memory notes, with what their front matter says', () => {
    const cli = program();
    const notes = path.join(cli.folder, 'notes');
    lay(notes, NOTES);
    expect(takenOver(cli, notes, notes)).toMatchObject({ kind: 'basic-memory', left: [] });
    const { tags, content } = cli.ask('show', 'warnings')['record'] as { tags: string[]; content: { summary: string; key_findings: string[] } };
    expect(tags).toEqual(expect.arrayContaining(['tide', 'warning', 'note', 'basic-memory']));
    expect(content.key_findings).toEqual(['decision: Warnings are sent twice #tide (since the storm)']);
    for (const said of ['Sent at dawn.', 'depends_on [[Gauge]]', 'owner: harbour office', 'permalink: design/warnings'])
      expect(content.summary).toContain(said);
  });

  it("takes over this project's rows of claude-mem's database", () => {
    const cli = program();
    const folder = path.join(cli.folder, 'user', '.claude-mem');
    claudeMemDatabase(path.join(folder, 'claude-mem.db'));
    const done = takenOver(cli, folder);
    expect(done).toMatchObject({ kind: 'claude-mem', left: [{ what: '2 rows of elsewhere' }] });
    expect(cli.ask('show', 'warnings-go-by-radio')).toMatchObject({
      record: {
        category: 'decision',
        created_at: '2026-01-05T10:00:00Z',
        related_files: ['src/radio.ts'],
        content: { context: 'the mast fell', decision: 'Radio in place of flags.', rationale: ['radio needs no mast', 'captains listen'] },
      },
    });
    expect(cli.ask('show', 'gauge-stuck-at-zero')).toMatchObject({
      record: { category: 'runbook', content: { steps: ['restart the reader', 'compare with the pier'] } },
    });
    const session = cli.ask('show', 'session_summary/client-1')['record'] as { content: Record<string, unknown> };
    expect(session.content).toMatchObject({ goal: 'Send warnings by radio', completed: ['radio works'], next_actions: ['test at night'] });
    expect(JSON.stringify(session.content)).toContain('make the warnings go by radio');
    expect(JSON.stringify(session.content)).toContain('flags freeze');
  });

  it('archives what is too old for a full category instead of losing it', () => {
    const cli = program();
    cli.ask('config', 'set', 'max_memories_per_category', '5', '--user');
    claudeMemDatabase(path.join(cli.folder, 'user', '.claude-mem', 'claude-mem.db'), 8);
    const [done] = migrate(cli);
    expect(done?.created.filter((file) => file.startsWith('analysis/'))).toHaveLength(9);
    expect(found(cli, 'finding', '--limit', '20')).toHaveLength(4);
    expect(found(cli, 'finding', '--limit', '20', '--include-retired')).toHaveLength(8);
  });

  it('keeps what is there and puts the other beside it', () => {
    const cli = program();
    cli.ask('save', 'decision', 'Something first', '--title', 'First');
    lay(cli.records, { 'master.md': '# Mine\n' });
    lay(path.join(cli.project, '_memory'), MEMORY_FOLDER);
    migrate(cli);
    expect(text(cli, 'master.md')).toBe('# Mine\n');
    expect(text(cli, 'master-memory-folder.md')).toBe(MEMORY_FOLDER['master.md']);
  });

  it('takes secrets out on the way, and says so', () => {
    const cli = program();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    lay(path.join(cli.project, '_memory'), { 'master.md': `# Project Memory\n\nThe token is ${secret}.\n` });
    const answer = cli.run('migrate');
    expect(answer).toMatchObject({ code: 0, err: expect.stringContaining('Redacted before saving: 1 secret') });
    expect(text(cli, 'master.md')).not.toContain(secret);
  });

  it('refuses what it does not know, and says what it would know', () => {
    const cli = program();
    lay(cli.folder, { 'strange/readme.md': '# Hello\n', 'strange.json': '{"type":"other"}' });
    expect(cli.refused('migrate', path.join(cli.folder, 'strange'))).toMatchObject({
      exit: 1,
      error: 'INPUT_ERROR',
      hint: expect.stringContaining('claude-mem.db'),
    });
    expect(cli.refused('migrate', path.join(cli.folder, 'strange.json'))).toMatchObject({ exit: 1, error: 'INPUT_ERROR' });
    expect(cli.refused('migrate', path.join(cli.folder, 'nothing'))).toMatchObject({ exit: 4, error: 'NOT_FOUND' });
    expect(cli.run('migrate').out).toContain('Found nothing to import');
  });
});
