import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NEEDS_NODE } from '../../../src/app/hooks/registration.ts';
import { OLDEST_NODE } from '../../../src/adapters/process/environment.ts';
import { root } from '../../../scripts/bundle.js';
import { scratch } from '../../scratch.ts';
import { environment, place, PLUGIN } from '../mcp/talk.ts';

interface Hooks {
  readonly hooks: {
    readonly SessionStart: readonly { readonly matcher: string; readonly hooks: readonly { readonly command?: string; readonly args?: readonly string[] }[] }[];
  };
}

const starts = () => (JSON.parse(fs.readFileSync(path.join(PLUGIN, 'hooks', 'hooks.json'), 'utf8')) as Hooks).hooks.SessionStart;

/** A preload that has Node say it is older than it is. */
function olderNode(version: string): string {
  const file = path.join(scratch(), 'older.cjs');
  fs.writeFileSync(
    file,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: ${JSON.stringify(version)} } });
Object.defineProperty(process, 'version', { value: ${JSON.stringify(`v${version}`)} });`,
  );
  return file;
}

test('the plugin says that there is no Node, once, by the command that the client runs', () => {
  const shells = starts().flatMap(({ matcher, hooks }) =>
    hooks.filter(({ command, args }) => command !== undefined && args === undefined).map(({ command }) => ({ matcher, command })),
  );
  expect(shells).toHaveLength(1);
  const command = shells[0]?.command ?? '';
  expect(shells[0]?.matcher).toBe('startup|resume');
  const said = (PATH: string) => spawnSync('/bin/sh', ['-c', command], { env: { PATH }, encoding: 'utf8', input: '{}' });
  const empty = scratch();
  expect(said(empty)).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(said(empty).stdout)).toEqual({ systemMessage: NEEDS_NODE });
  expect(said(path.dirname(process.execPath))).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('every start is answered by one hook, whatever its source is', () => {
  const answered = (source: string) => starts().filter(({ matcher, hooks }) => hooks.some(({ args }) => args) && new RegExp(`^(?:${matcher})`).test(source));
  for (const source of ['startup', 'clear', 'resume', 'compact', 'fork', 'another']) expect(answered(source), source).toHaveLength(1);
  expect(answered('compact')[0]?.hooks).toHaveLength(2);
});

test('a Node that is too old is named once, and the server says nothing at every event', async () => {
  const there = place();
  const older = olderNode('18.20.4');
  const run = (event: string, source?: string) =>
    spawnSync(process.execPath, ['-r', older, path.join(PLUGIN, 'dist', 'hook.js'), event], {
      cwd: there.project,
      env: environment(there),
      input: JSON.stringify({ source }),
      encoding: 'utf8',
    });
  const first = run('SessionStart', 'startup');
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect((JSON.parse(first.stdout) as { systemMessage: string }).systemMessage).toMatch(/needs Node 20\.19 or newer, and node on the PATH is v18\.20\.4/);
  for (const [event, source] of [['SessionStart', 'clear'], ['SessionStart'], ['SessionEnd']] as const)
    expect(run(event, source)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const child = spawn(process.execPath, ['-r', older, path.join(PLUGIN, 'dist', 'mcp.js')], { env: environment(there), stdio: ['pipe', 'pipe', 'inherit'] });
  const out: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  const ask = (id: number, method: string, params: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  ask(1, 'initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'claude-code' } });
  ask(2, 'tools/call', { name: 'client_event', arguments: { event: 'UserPromptSubmit', prompt: 'x' } });
  child.stdin.end();
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  const [welcome, event] = out
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { result: { instructions?: string; content?: readonly { text: string }[] } });
  expect(welcome?.result.instructions).toContain('needs Node 20.19');
  expect(event?.result.content).toEqual([{ type: 'text', text: '{}' }]);
});

test('the oldest Node is the one that the package asks for', () => {
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toContain(OLDEST_NODE);
});
