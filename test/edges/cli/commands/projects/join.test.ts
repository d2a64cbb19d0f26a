import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sandbox } from '../../../../adapters/git/sandbox.ts';
import { program, PROGRAM, type Program } from '../../program.ts';

const { git } = sandbox();

/** A repository with one commit and a clone of it, each with a decision; the clone also has a conversation. */
function clones(cli: Program): { readonly first: string; readonly second: string; readonly key: string } {
  const [first, second] = [path.join(cli.folder, 'a', 'shop'), path.join(cli.folder, 'b', 'shop')];
  fs.mkdirSync(first, { recursive: true });
  git(first, 'init', '--quiet');
  git(first, 'commit', '--quiet', '--allow-empty', '-m', 'Start');
  git(cli.folder, 'clone', '--quiet', first, second);
  cli.askIn({ cwd: first }, 'save', 'decision', 'Use SQLite because it needs no server');
  cli.askIn({ cwd: second }, 'save', 'decision', 'Use Node because we know it');
  const message = { role: 'user', content: 'Where do boats come from?' };
  const line = { type: 'user', uuid: 'u1', parentUuid: null, sessionId: 's-1', cwd: second, version: '2.1.197', timestamp: '2026-03-01T10:00:00Z', message };
  const transcript = path.join(cli.folder, 's-1.jsonl');
  fs.writeFileSync(transcript, `${JSON.stringify(line)}\n`);
  cli.ask('import', transcript);
  return { first, second, key: String(cli.askIn({ cwd: second }, 'status')['key']) };
}

const titles = (cli: Program, cwd: string): readonly string[] =>
  cli
    .runIn({ cwd }, 'list')
    .out.trim()
    .split('\n')
    .map((line) => line.split('  ').at(-1) ?? '')
    .toSorted();
const said = (cli: Program, cwd: string): boolean => cli.runIn({ cwd }, 'search', 'boats', '--kind', 'message').out.includes('Where do boats come from');
const BOTH = ['Use Node because we know it', 'Use SQLite because it needs no server'];

test('project merge makes two projects one, with records, conversations and folders; split takes it back', () => {
  const cli = program();
  const { first, second, key } = clones(cli);
  expect(said(cli, first)).toBe(false);
  const done = cli.askIn({ cwd: first }, 'project', 'merge', key);
  expect(done).toMatchObject({ from: key, into: 'shop', created: [expect.stringMatching(/^decisions\/.*use-node/)], sessions: 1, messages: 1 });
  for (const cwd of [first, second]) {
    expect(titles(cli, cwd)).toEqual(BOTH);
    expect(said(cli, cwd)).toBe(true);
    expect(cli.askIn({ cwd }, 'status')['key']).toBe('shop');
  }
  expect(cli.ask('status', '--project', key)['key'], 'its old name still works').toBe('shop');
  expect(cli.runIn({ cwd: first }, 'search', 'boats', '--project', 'all', '--json').out.match(/"message_id":"u1"/g), 'nothing is found twice').toHaveLength(1);

  cli.askIn({ cwd: second }, 'project', 'split', key);
  expect(titles(cli, first)).toEqual(BOTH.slice(1));
  expect(titles(cli, second)).toEqual(BOTH.slice(0, 1));
  expect([said(cli, first), said(cli, second)]).toEqual([false, true]);
  cli.askIn({ cwd: first }, 'project', 'merge', key);
  expect([titles(cli, second), said(cli, first)], 'and once more').toEqual([BOTH, true]);
});

test('project merge keeps both where both were changed, and splits off nothing that was changed since', () => {
  const cli = program();
  const { first, second, key } = clones(cli);
  cli.askIn({ cwd: first }, 'task', 'Sell boats');
  cli.askIn({ cwd: second }, 'task', 'Sell cars');
  const { out } = cli.runIn({ cwd: first }, 'project', 'merge', key);
  expect(out).toContain('conflict kept context/current-task.md; saved the other as context/current-task-imported.md');
  cli.askIn({ cwd: first }, 'retire', 'use-node-because-we-know-it', '--reason', 'we do not');
  const { err } = cli.runIn({ cwd: first }, 'project', 'split', key);
  expect(err).toContain('The files stay in shop:');
  expect(titles(cli, second)).toEqual(BOTH.slice(0, 1));
});

test('project merge refuses what is no other project, and an agent', () => {
  const cli = program();
  const { first, key } = clones(cli);
  expect(cli.runIn({ cwd: first }, 'project', 'merge', 'shop')).toMatchObject({ code: 2, err: expect.stringContaining('shop is this project already') });
  expect(cli.runIn({ cwd: first }, 'project', 'merge', 'nope')).toMatchObject({ code: 4 });
  expect(cli.runIn({ cwd: first }, 'project', 'split', 'nope')).toMatchObject({ code: 4 });
  expect(cli.runIn({ cwd: first }, 'project', 'marge', key)).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean merge?') });
  expect(cli.runIn({ cwd: first, env: { CLAUDECODE: '1' } }, 'project', 'merge', key)).toMatchObject({
    code: 1,
    err: expect.stringContaining('SECURITY_ERROR'),
  });
  expect(titles(cli, first)).toEqual(BOTH.slice(1));
});

test('the merged project is known again by its folder alone, after git init and from a registry cut short', () => {
  const cli = program();
  const folder = path.join(cli.folder, 'plain');
  fs.mkdirSync(folder);
  cli.askIn({ cwd: folder }, 'save', 'decision', 'Use Node because we know it');
  cli.ask('save', 'decision', 'Use SQLite because it needs no server');
  cli.ask('project', 'merge', 'plain');
  git(folder, 'init', '--quiet');
  expect(titles(cli, folder)).toEqual(BOTH);
  const registry = path.join(cli.home, 'holdfast', 'registry.json');
  fs.writeFileSync(registry, fs.readFileSync(registry, 'utf8').trimEnd().slice(0, -2));
  expect(titles(cli, folder)).toEqual(BOTH);
});

const note = (first: string): string =>
  `shop (${first}) is a clone of the same repository, with a memory of its own. One memory for both: holdfast project merge . --project shop`;

test('in a second clone start, init, status, doctor and holdfast alone say that the repository has a memory already, until the two are one or were split', () => {
  const cli = program();
  const { first, second, key } = clones(cli);
  expect(cli.runIn({ cwd: second }, 'start').err).toContain(note(first));
  expect(cli.runIn({ cwd: second }, 'init', '--yes').out).toContain(note(first));
  expect(cli.runIn({ cwd: second }, 'status').err).toContain(note(first));
  expect(cli.runIn({ cwd: second }).err).toContain(note(first));
  expect(cli.askIn({ cwd: second }, 'doctor')['findings']).toContainEqual(
    expect.objectContaining({ level: 'note', mend: 'One memory for both: holdfast project merge . --project shop' }),
  );
  cli.askIn({ cwd: second }, 'project', 'merge', '.', '--project', 'shop');
  expect(cli.runIn({ cwd: second }, 'start').err).not.toContain('clone');
  cli.askIn({ cwd: second }, 'project', 'split', key);
  expect(cli.runIn({ cwd: second }, 'start').err).not.toContain('clone');
});

/** A repository with a memory, and a clone of it that no command ever wrote for. */
function freshClone(cli: Program): { readonly first: string; readonly second: string } {
  const [first, second] = [path.join(cli.folder, 'a', 'shop'), path.join(cli.folder, 'b', 'shop')];
  fs.mkdirSync(first, { recursive: true });
  git(first, 'init', '--quiet');
  git(first, 'commit', '--quiet', '--allow-empty', '-m', 'Start');
  cli.askIn({ cwd: first }, 'save', 'decision', 'Use SQLite because it needs no server');
  git(cli.folder, 'clone', '--quiet', first, second);
  return { first, second };
}

const HAS_SCRIPT = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux');

/** What the program prints on a terminal that gets these keys. */
function onTerminal(cli: Program, cwd: string, input: string, ...argv: readonly string[]): string {
  const command = [process.execPath, PROGRAM, '--home', cli.home, ...argv].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC', TERM: 'xterm', NO_COLOR: '1', HOME: cli.folder };
  return spawnSync('script', ['-qec', command, '/dev/null'], { cwd, encoding: 'utf8', input, env, timeout: 60_000 }).stdout;
}

test('a clone that nothing was written for is proposed too, and joined by one command', () => {
  const cli = program();
  const { first, second } = freshClone(cli);
  expect(cli.runIn({ cwd: second }, 'status').err).toContain(note(first));
  cli.askIn({ cwd: second }, 'project', 'merge', '.', '--project', 'shop');
  expect(titles(cli, second)).toEqual(BOTH.slice(1));
  expect(cli.runIn({ cwd: second }, 'status').err).not.toContain('clone');
});

test('the same history with another remote, or another history with the same remote, is another project', () => {
  const cli = program();
  const { first, second } = freshClone(cli);
  git(second, 'remote', 'set-url', 'origin', 'https://example.org/fork/shop.git');
  git(first, 'remote', 'add', 'origin', 'https://example.org/shop.git');
  fs.rmSync(path.join(cli.home, 'holdfast', 'registry.json'));
  cli.askIn({ cwd: first }, 'save', 'decision', 'Use Node because we know it');
  expect(cli.runIn({ cwd: second }, 'status').err).not.toContain('clone');
  const third = path.join(cli.folder, 'c', 'shop');
  fs.mkdirSync(third, { recursive: true });
  git(third, 'init', '--quiet');
  git(third, 'commit', '--quiet', '--allow-empty', '-m', 'Another start');
  git(third, 'remote', 'add', 'origin', 'https://example.org/shop.git');
  expect(cli.runIn({ cwd: third }, 'status').err).not.toContain('clone');
});

test.runIf(HAS_SCRIPT)('start on a terminal asks once whether the second clone shares the memory, and takes both answers', () => {
  const cli = program();
  const { second } = freshClone(cli);
  expect(onTerminal(cli, second, 'l', 'start')).toContain('One memory for both? [y/n/l] l');
  expect(titles(cli, second)).not.toEqual(BOTH.slice(1));
  expect(onTerminal(cli, second, 'y', 'start')).toContain('Memory mode active for shop. ');
  expect(titles(cli, second)).toEqual(BOTH.slice(1));
  expect(cli.askIn({ cwd: second }, 'status')).toMatchObject({ key: 'shop', on: true });

  const other = program();
  const { second: apart } = freshClone(other);
  expect(onTerminal(other, apart, 'n', 'start')).toMatch(/Memory mode active for shop-[0-9a-f]{6}\./);
  expect(onTerminal(other, apart, 'y', 'start')).not.toContain('clone');
  expect(titles(other, apart)).not.toEqual(BOTH.slice(1));

  const third = path.join(other.folder, 'c', 'shop');
  git(other.folder, 'clone', '--quiet', path.join(other.folder, 'a', 'shop'), third);
  for (const times of [1, 2]) expect(onTerminal(other, third, 'n', 'start'), `clone ${times}`).toContain('is a clone of the same repository');
  expect(onTerminal(other, third, 'y', 'start'), 'each was refused once').not.toContain('clone');
});

test.runIf(HAS_SCRIPT)('init on a terminal asks the same, and then sets up the project that the clone became part of', () => {
  const cli = program();
  const { second } = freshClone(cli);
  const out = onTerminal(cli, second, 'yy\n', 'init');
  expect(out).toContain('One memory for both? [y/n/l] y');
  expect(out).toContain('Memory is on in this project.');
  expect(cli.askIn({ cwd: second }, 'status')).toMatchObject({ key: 'shop', on: true });
});
