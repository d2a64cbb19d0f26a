import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createUseSqlite, documentsOf, lastingProgram, program, PROGRAM } from './program.ts';

const ESCAPE = '\u001b[';

/** `script` gives a program a terminal; only the one of util-linux takes the command in this way. */
const HAS_SCRIPT = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux');
const NO_SCRIPT = 'there is no script of util-linux to make a terminal with';

const memory = lastingProgram();
beforeAll(() => void createUseSqlite(memory));

describe('colour', () => {
  /** What a terminal would be sent, stdout and stderr together. */
  const onTerminal = (env: Readonly<Record<string, string>>, ...argv: readonly string[]): string => {
    const quoted = [process.execPath, PROGRAM, '--home', memory.home, ...argv].map((word) => `'${word}'`).join(' ');
    const { stdout } = spawnSync('script', ['-qec', quoted, '/dev/null'], {
      cwd: memory.project,
      env: { PATH: process.env['PATH'] ?? '', HOME: memory.folder, TERM: 'xterm-256color', ...env },
      encoding: 'utf8',
      timeout: 100_000,
    });
    return stdout;
  };

  it('is shown on a terminal, for what was asked and for errors', ({ skip }) => {
    skip(!HAS_SCRIPT, NO_SCRIPT);
    expect(onTerminal({}, 'search', 'sqlite')).toContain(`${ESCAPE}1md90y  decision${ESCAPE}22m`);
    expect(onTerminal({}, 'show', 'nobody')).toContain(`${ESCAPE}31mNOT_FOUND${ESCAPE}39m`);
  });

  it.for<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['--no-color', {}, ['search', 'sqlite', '--no-color']],
    ['NO_COLOR', { NO_COLOR: '1' }, ['search', 'sqlite']],
    ['--json', {}, ['search', 'sqlite', '--json']],
  ])('is left out on a terminal with %s', ([, env, argv], { skip }) => {
    skip(!HAS_SCRIPT, NO_SCRIPT);
    const sent = onTerminal(env, ...argv);
    expect(sent).toMatch(/d90y {2}decision|decision\/use-sqlite/);
    expect(sent).not.toContain(ESCAPE);
  });

  it('is left out when stdout is no terminal', () => {
    const answers = [memory.run('search', 'sqlite'), memory.run('--help'), memory.run('show', 'nobody'), memory.run('diff', 'use-sqlite')];
    for (const { out, err } of answers) expect(out + err).not.toContain(ESCAPE);
  });
});

describe('warnings', () => {
  const warned = () => {
    const cli = program();
    createUseSqlite(cli);
    fs.writeFileSync(path.join(cli.records, 'decisions/broken.md'), '---\ntags: [\n---\n');
    return cli;
  };

  it('go to stderr, for people and with --json', () => {
    const cli = warned();
    const note = /^note 1 files cannot be read\. `holdfast doctor` names them\.\n$/;
    const people = cli.run('status');
    expect(people).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    expect(people.out).not.toContain('cannot be read');
    const script = cli.run('status', '--json');
    expect(script).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    expect(documentsOf(script)).toEqual([expect.objectContaining({ ok: true, unreadable: 1 })]);
  });

  it('are left out with --quiet, wherever it stands', () => {
    const cli = warned();
    expect(cli.run('status', '--quiet')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('webshop') });
    expect(cli.run('--quiet', '--json', 'status')).toMatchObject({ code: 0, err: '' });
  });

  it('say that an update was not guarded by a hash', () => {
    const cli = program();
    createUseSqlite(cli);
    const { record } = cli.ask('show', 'use-sqlite') as { record: Record<string, unknown> };
    const changes = [...(record['changes'] as object[]), { date: '2026-01-01T00:00:00Z', summary: 'Tagged' }];
    const { code, err } = cli.runIn(
      { input: JSON.stringify({ ...record, changes }) },
      'write',
      '--action',
      'update',
      '--target',
      'decisions/use-sqlite.md',
      '--input',
      '-',
    );
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^note updated without --hash: /) });
  });
});

describe('the home', () => {
  const homes = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) => {
    const cli = program();
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...argv, 'status', '--json'], {
      cwd: cli.project,
      env: { PATH: process.env['PATH'] ?? '', HOME: '/nowhere/home', ...env },
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    return (JSON.parse(stdout) as { project: { home: string } }).project.home;
  };

  it.each([
    ['--home before the environment', { HOLDFAST_HOME: '/b', CLAUDE_CONFIG_DIR: '/c' }, ['--home', '/a'], '/a'],
    ['HOLDFAST_HOME before CLAUDE_CONFIG_DIR', { HOLDFAST_HOME: '/b', CLAUDE_CONFIG_DIR: '/c' }, [], '/b'],
    ['CLAUDE_CONFIG_DIR', { CLAUDE_CONFIG_DIR: '/c' }, [], '/c'],
    ['~/.claude', {}, [], '/nowhere/home/.claude'],
  ])('is %s', (_name, env, argv, home) => {
    expect(homes(env, ...argv)).toBe(home);
  });

  it('is made with files and folders for its owner alone', () => {
    const cli = program();
    createUseSqlite(cli);
    cli.ask('search', 'sqlite');
    const open: string[] = [];
    const visit = (at: string): void => {
      const stat = fs.statSync(at);
      if ((stat.mode & 0o077) !== 0) open.push(`${path.relative(cli.folder, at)} ${(stat.mode & 0o777).toString(8)}`);
      if (stat.isDirectory()) for (const name of fs.readdirSync(at)) visit(path.join(at, name));
    };
    visit(cli.home);
    expect(open).toEqual([]);
  });
});

it('a pipe closed early is no failure', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', '"$@" | head -c 20', 'sh', process.execPath, PROGRAM, '--home', memory.home, 'config'], {
    cwd: memory.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: memory.folder },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toHaveLength(20);
});
