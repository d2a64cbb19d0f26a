import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { sample } from '../../core/sample.ts';
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

const environmentOf = (cli: Program): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', TZ: 'UTC', TERM: 'xterm', NO_COLOR: '1', HOME: cli.folder });
const commandLine = (cli: Program, argv: readonly string[]): string =>
  [process.execPath, PROGRAM, '--home', cli.home, ...argv].map((word) => `'${word}'`).join(' ');

/** What the program prints on a terminal whose user presses this key at the first question. */
async function answerWith(cli: Program, key: string, ...argv: readonly string[]): Promise<string> {
  const child = spawn('script', ['-qec', commandLine(cli, argv), '/dev/null'], { cwd: cli.project, env: environmentOf(cli) });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = out.includes('[y/N]');
    out += chunk.toString('utf8');
    if (!before && out.includes('[y/N]')) child.stdin.write(key);
  });
  await once(child, 'close');
  return out;
}

/** What the program prints on a terminal that gets these keys. */
function onTerminal(cli: Program, input: string, ...argv: readonly string[]): string {
  const options = { cwd: cli.project, encoding: 'utf8', input, env: environmentOf(cli), timeout: 60_000 } as const;
  return spawnSync('script', ['-qec', commandLine(cli, argv), '/dev/null'], options).stdout;
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
    expect(cli.run('undo', '#2').out).toMatch(/^undone #2 create c\w{3} {2}Rate limit\n {2}removed constraints\/rate-limit\.md \(create\)\n$/);
    expect(cli.ask('undo', '--action', '3', '--action', '1')).toMatchObject({ undone: [{ group: '3' }, { group: '1' }] });
    expect(cli.ask('list')).toMatchObject({ total: 0 });
    expect(cli.refused('undo', '#x')).toMatchObject({ exit: 2 });
    expect(cli.refused('undo', '2', '#1')).toMatchObject({ exit: 2 });
  });

  it('log and diff take these numbers too, and the short id of a record that was undone', () => {
    const cli = filled();
    expect(cli.run('log', '#2').out).toMatch(/^ +#2 .* Rate limit/);
    expect(cli.run('diff', '#2').out).toMatch(/^--- constraints\/rate-limit\.md \(before 2\)\n/);
    expect(cli.ask('diff', '#2')).toMatchObject({ ok: true, action: '#2', files: [{ path: 'constraints/rate-limit.md' }] });
    expect(cli.refused('diff', '#99')).toMatchObject({ exit: 4, message: 'No action 99 found.' });
    cli.ask('undo', '#1');
    expect(cli.run('log', 'd90y').out).toMatch(/undo +d90y {2}Use SQLite[\s\S]*create +d90y {2}Use SQLite.*undone\n$/);
    cli.ask('task', 'Port the printer');
    expect(cli.run('log', '--limit', '1').out).toMatch(/ create +context\/current-task {2}by command\n$/);
    const [{ group }] = cli.ask('undo')['undone'] as [{ group: string }];
    expect(cli.run('undo', '--action', String(Number(group) + 1)).out).toContain(`undo of #${group}: context/current-task`);
  });

  it.runIf(HAS_SCRIPT)('says what it will undo and asks when that is more than one', () => {
    const cli = filled();
    const asked = onTerminal(cli, 'n\n', 'undo', '2');
    expect(asked).toMatch(/#3 create p\w{3} {2}Tests beside code\s+#2 create c\w{3} {2}Rate limit\s+Undo these 2 actions\? \[y\/N\]/);
    expect(asked).toMatch(/Nothing was undone\.\s*$/);
    expect(asked).not.toContain('USAGE_ERROR');
    expect(cli.ask('list')).toMatchObject({ total: 3 });
    expect(onTerminal(cli, 'y\n', 'undo', '2')).toContain('undone #3 create');
    expect(cli.ask('list')).toMatchObject({ total: 1 });
    expect(onTerminal(cli, '', 'undo')).toContain('undone #1 create d90y  Use SQLite');
  });

  it.runIf(HAS_SCRIPT).each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s at its question answers no', async (_, key) => {
    const cli = filled();
    const out = await answerWith(cli, key, 'undo', '2');
    expect(out).toMatch(/Nothing was undone\.\s*$/);
    expect(cli.ask('list')).toMatchObject({ total: 3 });
  });
});

test.runIf(HAS_SCRIPT)('start asks once whether new records go to the store of JSON records that the project brings', () => {
  const withStore = (): Program => {
    const cli = program();
    const folder = path.join(cli.project, '.claude', 'memory', 'decisions');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'use-jwt.json'), JSON.stringify(sample('decision', { id: 'use-jwt', related_files: [] })));
    return cli;
  };
  for (const [answer, root] of [
    ['y', 'shared'],
    ['n', 'private'],
  ] as const) {
    const cli = withStore();
    expect(onTerminal(cli, answer, 'start')).toContain('Put new records there? [y/n/l]');
    expect(cli.ask('save', 'decision', 'Use pnpm because it is fast')).toMatchObject({ root });
    expect(onTerminal(cli, answer, 'start')).not.toContain('Put new records there?');
  }
});

test.runIf(HAS_SCRIPT)('user forget asks at a terminal, and forgets nothing after a no', () => {
  const cli = program();
  cli.ask('user', 'update', 'preferences', 'Tabs, never spaces');
  const asked = onTerminal(cli, 'n\n', 'user', 'forget', 'tabs');
  for (const words of ['preferences: Tabs, never spaces', 'Forget this? [y/N]', 'Nothing was forgotten.']) expect(asked).toContain(words);
  expect(cli.run('user').out).toContain('Tabs');
  expect(onTerminal(cli, 'y\n', 'user', 'forget', 'tabs')).toContain('Forgotten:');
  expect(cli.run('user').out).not.toContain('Tabs');
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
  expect(out).toMatch(/^webshop: 3 records, memory off, last write [-\d: ]+\n/);
  expect(out).toContain('\n  Memory is off in this project. Turn it on with `holdfast start`.\n');
  expect(out).toContain('d90y  Use SQLite');
});

test('holdfast alone says what was imported for a project that has no records yet', () => {
  const cli = program();
  const chat = path.join(cli.folder, 'chat.jsonl');
  const message = { project: 'attic', session_id: 's1', message_id: 'm1', role: 'user', timestamp: '2026-03-02T10:00:00Z', text: 'Where are the boxes?' };
  fs.writeFileSync(chat, `${JSON.stringify(message)}\n`);
  cli.ask('import', chat);
  expect(cli.run('--project', 'attic').out).toMatch(/^attic: 1 session imported, no records yet, memory off\n\n {2}holdfast search WORDS/);
  expect(cli.refused('list', '--project', 'atic')).toMatchObject({ exit: 4 });
  expect(cli.refused('list', '--project', 'attick')).toMatchObject({ hint: 'did you mean attic?' });
  expect(cli.refused('list', '--project', 'attc')).toMatchObject({ hint: 'did you mean attic?' });
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
  cli.ask('block', 'No key');
  for (const words of [['task'], []]) expect(cli.runIn(zone, ...words).out).toMatch(/No key \(since \d{4}-\d\d-\d\d \d\d:\d\d\)/);
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
  [['find', 'sqlite'], 'Did you mean search?'],
  [['remember', 'x'], 'Did you mean save?'],
  [['rm', 'use-sqlite'], 'Did you mean forget?'],
  [['version'], 'Did you mean --version?'],
  [['--jsn'], 'Unknown option --jsn. Did you mean --json?'],
  [['show', 'use-sqlit'], undefined],
  [['show', 'd90'], undefined],
  [['show', 'use-sqlte'], 'Did you mean d90y (decision/use-sqlite)?'],
])('a misspelt word is answered with the one that was meant: %j', (argv, meant) => {
  const cli = filled();
  if (meant === undefined) expect(cli.run(...argv)).toMatchObject({ code: 0 });
  else expect(cli.refused(...argv)).toMatchObject({ message: expect.stringContaining(meant) });
});

test('a label that imitates those of Holdfast leaves no trace, neither in the title nor in the id', () => {
  const cli = program();
  expect(cli.ask('save', 'decision', '[confidence:high] Use pnpm because [trust:confirmed] it is fast')).toMatchObject({
    id: 'decision/use-pnpm-because-it-is-fast',
    title: 'Use pnpm because it is fast',
  });
});
