import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/bundle.js';
import { spawnProgram } from '../edges/cli/program.ts';
import { filesUnder, scratch } from '../scratch.ts';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

test('"delete everything" in the README leaves nothing of Holdfast in the home, and what is not its own alone', () => {
  const [, commands = ''] = /To delete everything as well:\n\n```sh\n([^]*?)```/.exec(readme) ?? [];
  expect(commands).toContain('rm ');
  const home = scratch();
  const project = path.join(home, 'shop');
  const transcript = path.join(home, '.claude/projects/-shop/session.jsonl');
  const autoMemory = path.join(home, '.claude/projects/-shop/memory/MEMORY.md');
  for (const file of [transcript, autoMemory]) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'not Holdfast’s');
  }
  mkdirSync(project);
  for (const command of [
    ['start'],
    ['save', 'decision', 'Use SQLite because it needs no server'],
    ['save', 'preference', 'Short commits', '--user'],
    ['workspace', 'discover'],
    ['search', 'sqlite'],
    ['stop'],
  ])
    expect(spawnProgram(command, { cwd: project, env: { HOME: home } }).code, command.join(' ')).toBe(0);
  expect(spawnSync('sh', ['-c', commands], { env: { PATH: process.env['PATH'], HOME: home }, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  expect(Object.keys(filesUnder(home)).toSorted()).toEqual([transcript, autoMemory].map((file) => path.relative(home, file)).toSorted());
});

test('the MCP settings in the README are JSON that starts a command of this package', () => {
  const [, json = '{}'] = /```json\n([^]*?)```/.exec(readme) ?? [];
  expect(JSON.parse(json)).toEqual({ mcpServers: { holdfast: { command: 'holdfast', args: ['mcp'] } } });
  const { bin } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly bin: Record<string, string> };
  expect(Object.keys(bin)).toEqual(['holdfast']);
});
