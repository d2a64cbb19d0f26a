import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { sandbox } from '../../adapters/git/sandbox.ts';
import { PROGRAM, program, type Program } from './program.ts';

const { git } = sandbox();

const HAS_SCRIPT = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux');

function filled(): Program {
  const cli = program();
  cli.ask('save', 'decision', 'Use SQLite because it needs no server', '--title', 'Use SQLite');
  cli.ask('save', 'constraint', 'At most 100 requests a minute', '--title', 'Rate limit');
  cli.ask('save', 'preference', 'Tests live beside the code', '--title', 'Tests beside code');
  return cli;
}

/** What the program prints on a terminal that gets these keys. */
function onTerminal(cli: Program, input: string, ...argv: readonly string[]): string {
  const command = [process.execPath, PROGRAM, '--home', cli.home, ...argv].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC', TERM: 'xterm', NO_COLOR: '1', HOME: cli.folder };
  return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: cli.project, encoding: 'utf8', input, env, timeout: 60_000 }).stdout;
}

describe('list', () => {
  it('shows every record by a short id that every command takes', () => {
    const cli = filled();
    const { out } = cli.run('ls');
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [short = '', , category = ''] = line.split(/\s+/);
      expect(short).toMatch(/^[dcp]\d\w\w$/);
      const full = cli.ask('show', short)['id'];
      expect(full).toMatch(new RegExp(`^${category}/`));
      for (const command of ['log', 'diff', 'confirm', 'get', 'timeline']) expect(cli.run(command, short), command).toMatchObject({ code: 0 });
    }
  });

  it('by category, trust, status and number', () => {
    const cli = filled();
    cli.ask('retire', 'rate-limit');
    expect(cli.ask('list', 'decisions')).toMatchObject({ total: 1, records: [{ id: 'decision/use-sqlite', short_id: 'd90y', trust: 'confirmed' }] });
    expect(cli.ask('list', '--status', 'retired')).toMatchObject({ total: 1, records: [{ id: 'constraint/rate-limit' }] });
    expect(cli.ask('list', '--limit', '1')).toMatchObject({ total: 2, records: [{}] });
    expect(cli.ask('list', '--trust', 'quarantined')).toMatchObject({ total: 0, records: [] });
    expect(cli.refused('list', 'decison')).toMatchObject({ message: expect.stringContaining('Did you mean decision?') });
  });
});

describe('undo', () => {
  it('understands the numbers that log shows, with # and without, of any part of an action', () => {
    const cli = filled();
    const numbers = [...cli.run('log').out.matchAll(/#(\d+)/g)].map(([, number]) => String(number));
    expect(numbers).toEqual(['3', '2', '1']);
    expect(cli.run('undo', '#2').out).toMatch(/^undone #2 create c\w{3} Rate limit\n {2}removed constraints\/rate-limit\.md \(create\)\n$/);
    expect(cli.ask('undo', '--action', '3', '--action', '1')).toMatchObject({ undone: [{ group: '3' }, { group: '1' }] });
    expect(cli.ask('list')).toMatchObject({ total: 0 });
    expect(cli.refused('undo', '#x')).toMatchObject({ exit: 2 });
    expect(cli.refused('undo', '2', '#1')).toMatchObject({ exit: 2 });
  });

  it.runIf(HAS_SCRIPT)('says what it will undo and asks when that is more than one', () => {
    const cli = filled();
    const asked = onTerminal(cli, 'n\n', 'undo', '2');
    expect(asked).toMatch(/#3 create p\w{3} Tests beside code\s+#2 create c\w{3} Rate limit\s+Undo these 2 actions\? \[y\/N\]/);
    expect(cli.ask('list')).toMatchObject({ total: 3 });
    expect(onTerminal(cli, 'y\n', 'undo', '2')).toContain('undone #3 create');
    expect(cli.ask('list')).toMatchObject({ total: 1 });
    expect(onTerminal(cli, '', 'undo')).toContain('undone #1 create d90y Use SQLite');
  });
});

test('a bundle is imported without saying what it is', () => {
  const cli = filled();
  const file = path.join(cli.folder, 'memories.any-name');
  cli.ask('export', file);
  const other = program();
  expect(other.ask('import', file)).toMatchObject({ ok: true, bundles: [{}] });
  expect(other.ask('list', '--project', 'webshop')).toMatchObject({ total: 3 });
  const chat = path.join(cli.folder, 'chat.jsonl');
  fs.writeFileSync(chat, '{}\n');
  expect(other.refused('import', file, chat)).toMatchObject({ exit: 2, message: expect.stringContaining('is a bundle') });
});

test('undo refuses to undo more than there is: who types 99 may mean action #99', () => {
  const cli = filled();
  expect(cli.refused('undo', '99')).toMatchObject({
    exit: 2,
    message: 'Only 3 of 99 actions are left to undo; nothing was undone.',
    hint: expect.stringContaining("undo '#99'"),
  });
  expect(cli.ask('list')).toMatchObject({ total: 3 });
});

test('holdfast alone says where things stand, and lists the commands where nothing is remembered', () => {
  const empty = program();
  expect(empty.run().out).toContain('holdfast COMMAND --help');
  expect(fs.existsSync(empty.home)).toBe(false);
  git(empty.project, 'init', '--quiet');
  expect(empty.run().out, 'in a repository').toMatch(/^webshop: memory is off and holds nothing yet\n\n {2}holdfast init/);
  expect(fs.existsSync(empty.home)).toBe(false);
  empty.ask('start');
  expect(empty.run().out).toMatch(/^webshop: 0 records, memory on/);
  const cli = filled();
  const { out } = cli.run();
  expect(out).toMatch(/^webshop: 3 records, memory off/);
  expect(out).toContain('d90y  Use SQLite');
});

test('people read their own time, scripts and files UTC', () => {
  const cli = filled();
  const zone = { env: { TZ: 'Asia/Kolkata' } };
  const [entry] = cli.run('log', '--json', '--limit', '1').out.trim().split('\n');
  const { at } = JSON.parse(entry ?? '{}') as { at: string };
  expect(at).toMatch(/Z$/);
  const local = new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  expect(cli.runIn(zone, 'log', '--limit', '1').out).toContain(local);
  expect(cli.runIn(zone, 'timeline').out).toContain(local.slice(0, 13));
  expect(cli.runIn(zone, 'log', '--json', '--limit', '1').out).toContain(at);
});

test('the help of save names every category', () => {
  const { out } = program().run('save', '--help');
  for (const category of ['session_summary', 'decision', 'runbook', 'constraint', 'tech_debt', 'preference', 'analysis', 'subagent_report'])
    expect(out).toContain(category);
});

test.each([
  [['lst'], 'Did you mean list?'],
  [['sav', 'decision', 'x'], 'Did you mean save?'],
  [['save', 'runbok', 'x'], 'Did you mean runbook?'],
  [['show', 'use-sqlit'], undefined],
  [['show', 'use-sqlte'], 'Did you mean decision/use-sqlite?'],
])('a misspelt word is answered with the one that was meant: %j', (argv, meant) => {
  const cli = filled();
  if (meant === undefined) expect(cli.run(...argv)).toMatchObject({ code: 0 });
  else expect(cli.refused(...argv)).toMatchObject({ message: expect.stringContaining(meant) });
});
