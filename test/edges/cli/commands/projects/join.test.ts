import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sandbox } from '../../../../adapters/git/sandbox.ts';
import { program, type Program } from '../../program.ts';

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

test('start and init in a second clone say that the repository has a memory already, until the two are one or were split', () => {
  const cli = program();
  const { first, second, key } = clones(cli);
  const note = `shop (${first}) is a clone of the same repository, with a memory of its own. One memory for both: holdfast project merge ${key} --project shop`;
  expect(cli.runIn({ cwd: second }, 'start').err).toContain(note);
  expect(cli.runIn({ cwd: second }, 'init', '--yes').out).toContain(note);
  cli.askIn({ cwd: second }, 'project', 'merge', key, '--project', 'shop');
  expect(cli.runIn({ cwd: second }, 'start').err).not.toContain('clone');
  cli.askIn({ cwd: second }, 'project', 'split', key);
  expect(cli.runIn({ cwd: second }, 'start').err).not.toContain('clone');
});
