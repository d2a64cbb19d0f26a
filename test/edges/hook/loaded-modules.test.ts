import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../scratch.ts';
import { runProgram } from '../cli/program.ts';
import { environment, place, PLUGIN } from '../mcp/talk.ts';

/** Modules of Node that a process brings along without anybody importing them: by a global, a getter, or a way to end a stream. */
const SLOW = ['perf_hooks', 'fs/promises', 'internal/fs/promises', 'readline', 'tty', 'crypto', 'http', 'util', 'internal/fs/sync_write_stream'];

/** The modules that a run has loaded, without those of a process that does nothing. */
function loadedBy(
  words: readonly string[],
  { env, cwd, input }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly input: string },
): readonly string[] {
  const folder = scratch();
  const [list, nothing] = [path.join(folder, 'list.cjs'), path.join(folder, 'nothing.cjs')];
  fs.writeFileSync(nothing, '');
  fs.writeFileSync(list, "process.on('exit', () => process._rawDebug(JSON.stringify(process.moduleLoadList)));");
  const of = (program: readonly string[]): readonly string[] => {
    const { status, stderr } = spawnSync(process.execPath, ['-r', list, ...program], { env, cwd, input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program.join(' ')}: ${stderr}`);
    return (JSON.parse(stderr) as readonly string[]).map((name) => name.replace('NativeModule ', ''));
  };
  const empty = new Set(of([nothing]));
  return of(words).filter((name) => !empty.has(name));
}

test.each([
  ['UserPromptSubmit', { prompt: 'Which numbers do invoices have in each country?' }],
  ['SessionStart', { source: 'compact' }],
  ['SessionStart', { source: 'startup' }],
  ['PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git commit -m x' } }],
  ['SessionEnd', { reason: 'other' }],
])('%s as a process loads no module of Node that is slow: %j', (event, fields) => {
  const there = place();
  expect(
    runProgram(['save', 'decision', 'Invoices are numbered per country because the law asks for it'], {
      cwd: there.project,
      env: { HOLDFAST_HOME: there.home },
    }).code,
  ).toBe(0);
  const input = JSON.stringify({ session_id: 's-1', cwd: there.project, hook_event_name: event, ...fields });
  const loaded = loadedBy([path.join(PLUGIN, 'dist', 'hook.js'), event], { env: environment(there), cwd: there.project, input });
  expect(loaded).toContain('vm');
  expect(loaded.filter((name) => SLOW.includes(name))).toEqual([]);
  // Only a run that starts another process needs sockets.
  expect(loaded.includes('net')).toBe(loaded.includes('child_process'));
});
