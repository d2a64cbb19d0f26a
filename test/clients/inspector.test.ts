import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../edges/cli/program.ts';
import { environment, place } from '../edges/mcp/talk.ts';

const FOLDER = process.env['HOLDFAST_INSPECTOR'] ?? '';
const NODE = process.env['HOLDFAST_NEWER_NODE'] ?? '';
const INSPECTOR = path.join(FOLDER, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');

describe.skipIf(!existsSync(FOLDER))('the official Inspector on the command line', () => {
  const inspect = (...words: readonly string[]): { readonly status: number | null; readonly out: string } => {
    const there = place();
    const args = [INSPECTOR, '--cli', '-e', `HOLDFAST_HOME=${there.home}`, process.execPath, PROGRAM, 'mcp', ...words];
    const { status, stdout } = spawnSync(NODE, args, { cwd: there.project, env: environment(there, { HOME: there.home }), encoding: 'utf8' });
    return { status, out: stdout };
  };

  test.each([
    ['tools', ['--method', 'tools/list'], '"memory_search"'],
    ['resources', ['--method', 'resources/list'], '"memory://brief"'],
    ['templates', ['--method', 'resources/templates/list'], 'memory://records/{category}/{id}'],
    ['prompts', ['--method', 'prompts/list'], '"synthesize"'],
    ['a call', ['--method', 'tools/call', '--tool-name', 'memory_search', '--tool-arg', 'query=sqlite'], '"structuredContent"'],
    ['a resource', ['--method', 'resources/read', '--uri', 'memory://index'], 'project shop'],
    ['a prompt', ['--method', 'prompts/get', '--prompt-name', 'recall', '--prompt-args', 'about=sqlite'], 'Nothing is remembered'],
  ])('reads %s', (_what, words, expected) => {
    const { status, out } = inspect(...words);
    expect(out).toContain(expected);
    expect(status).toBe(0);
  });

  test('is told what is wrong with a call', () => {
    const { out } = inspect('--method', 'tools/call', '--tool-name', 'memory_get', '--tool-arg', 'ids=["none"]');
    expect(out).toMatch(/NOT_FOUND[^]*"isError": true/);
  });
});
