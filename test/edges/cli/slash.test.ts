import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/edges/cli/registry.ts';
import { SLASH, slashArguments } from '../../../src/edges/cli/slash.ts';
import { scratch } from '../../scratch.ts';

const COMMANDS = new Map((await loadCommands()).map((command) => [command.name, command]));

test.each([
  ['status', '', ['status']],
  ['search', "why don't we use --force here", ['search', '--', "why don't we use --force here"]],
  ['search', '"connection pool" --include-retired', ['search', '--include-retired', '--', 'connection pool']],
  ['search', '--limit 3 pool', ['search', '--limit', '3', '--', 'pool']],
  ['save', 'decision Use SQLite\n\nbecause it needs no server --tag db', ['save', '--tag', 'db', '--', 'decision', 'Use SQLite\n\nbecause it needs no server']],
  ['save', 'preference $(touch x) `id` ; rm -rf', ['save', '--', 'preference', '$(touch x) `id` ; rm -rf']],
  ['save', 'decision --title "No Redis" we  have none', ['save', '--title', 'No Redis', '--', 'decision', 'we  have none']],
  ['save', '', ['save']],
  ['retire', 'use-sqlite we moved on', ['retire', '--reason', 'we moved on', '--', 'use-sqlite']],
  ['retire', 'use-sqlite', ['retire', '--', 'use-sqlite']],
  ['retire', '', ['retire']],
  ['archive', '--list', ['archive', '--list']],
  ['unarchive', 'use-sqlite', ['unarchive', 'use-sqlite']],
  ['restore', 'use-sqlite', ['restore', 'use-sqlite']],
  ['gc', '--dry-run', ['gc', '--dry-run']],
  ['config', 'set inject.startTokens 800 --user', ['config', 'set', 'inject.startTokens', '800', '--user']],
  ['workspace', 'add "My Repo" x', ['workspace', 'add', 'My Repo', 'x']],
  ['recall', '  ', ['recall']],
])('/memory:%s %j', (word, text, expected) => {
  expect(slashArguments(word, text)).toEqual(expected);
});

test('a summary is of the session it is asked in, unless another is named', () => {
  expect(slashArguments('summarize', '', 'a1')).toEqual(['summarize', 'a1']);
  expect(slashArguments('summarize', '--dry-run', 'a1')).toEqual(['summarize', '--dry-run', 'a1']);
  expect(slashArguments('summarize', 'b2', 'a1')).toEqual(['summarize', 'b2']);
});

test.each([
  ['--retire use-sqlite it is gone', ['retire', '--reason', 'it is gone', '--', 'use-sqlite']],
  ['--restore use-sqlite', ['restore', 'use-sqlite']],
  ['--archive use-sqlite', ['archive', '--', 'use-sqlite']],
  ['--unarchive use-sqlite', ['unarchive', 'use-sqlite']],
  ['--gc', ['gc']],
  ['--list-archived', ['archive', '--list']],
  ['--user', ['status', '--user']],
])('the one command with flags of its document is understood: %s', (typed, line) => {
  expect(slashArguments('status', typed)).toEqual(line);
});

test('options that are taken out of a text are options of the command', () => {
  for (const [word, { runs = word, options = {}, into }] of Object.entries(SLASH)) {
    const known = (COMMANDS.get(runs)?.options ?? []).map(({ name, value }) => [`--${name}`, value !== undefined] as const);
    for (const option of Object.entries({ ...options, ...(into !== undefined && { [into]: true }) })) expect(known, word).toContainEqual(option);
  }
});

test('the program takes the words that the hook of its session kept, once, tells a refusal and exits with 0', () => {
  const slash = path.resolve(import.meta.dirname, '../../../dist/slash.js');
  const cwd = scratch();
  const start = (args: readonly string[], session: string, input = '') =>
    spawnSync(process.execPath, [slash, ...args], {
      input,
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOLDFAST_HOME: path.join(cwd, 'home'), CLAUDE_CODE_SESSION_ID: session },
    });
  const hook = (word: string, words: string, session = 's-1') =>
    start(['--typed'], session, JSON.stringify({ session_id: session, command_name: `memory:${word}`, command_args: words }));
  const run = (word: string, words: string) => {
    expect(hook(word, words)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    return start([word], 's-1');
  };
  expect(run('save', 'decision Don\'t use `id` or $(id) or {"a":"b"}, because it is odd')).toMatchObject({ status: 0, stderr: '' });
  expect(run('search', 'odd').stdout).toContain('Don\'t use `id` or $(id) or {"a":"b"}');
  expect(run('retire', 'nothing-of-that-name')).toMatchObject({ status: 0, stderr: expect.stringContaining('NOT_FOUND') as unknown });
  // Taken once, by its own command and its own session.
  expect(start(['retire'], 's-1').stderr).toContain('USAGE_ERROR');
  hook('save', 'decision Never this', 's-2');
  hook('save', 'decision Nor that', '../../s-3');
  expect([start(['search'], 's-2').stdout, start(['save'], 's-1').stdout].join('')).not.toMatch(/created/);
  expect(readdirSync(path.join(cwd, 'home', 'holdfast', 'typed'))).toEqual(['______s-3.json']);
  expect(statSync(path.join(cwd, 'home', 'holdfast', 'typed')).mode & 0o077).toBe(0);
});
