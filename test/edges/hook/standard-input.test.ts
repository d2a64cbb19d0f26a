import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, type Place, place, PLUGIN } from '../mcp/talk.ts';

const HOOK = path.join(PLUGIN, 'dist', 'hook.js');

function started(there: Place): {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
} {
  const child = spawn(process.execPath, [HOOK, 'SessionStart'], { env: environment(there), stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }));
  });
  return { child, ended };
}

function remembering(): Place {
  const there = place();
  const save = ['save', 'decision', 'Invoices are numbered per country because the law asks for it'];
  expect(runProgram(save, { cwd: there.project, env: { HOLDFAST_HOME: there.home } }).code).toBe(0);
  return there;
}

const start = (there: Place, more: object = {}): string =>
  JSON.stringify({ session_id: 's-1', cwd: there.project, hook_event_name: 'SessionStart', source: 'startup', ...more });

test('a client that never writes a byte and never closes does not keep the process', async () => {
  const { ended } = started(remembering());
  expect(await ended).toMatchObject({ out: '', err: 'holdfast hook: no input arrived on standard input; the session goes on\n' });
});

test('a client that closes without a byte gets one line, and goes on', async () => {
  const { child, ended } = started(remembering());
  child.stdin?.end();
  expect(await ended).toMatchObject({ code: 0, out: '', err: expect.stringMatching(/^holdfast SessionStart hook: .*; the session goes on\n$/) });
});

test('an event that is longer than a pipe is read in pieces, with the pipe left open', async () => {
  const there = remembering();
  const { child, ended } = started(there);
  child.stdin?.write(start(there, { more: 'é'.repeat(200_000) }));
  const { code, out } = await ended;
  expect(code).toBe(0);
  expect(contextIn(out)).toContain('Invoices are numbered');
});

test('an event that comes in two writes, cut within a letter, is one', async () => {
  const there = remembering();
  const { child, ended } = started(there);
  const bytes = Buffer.from(start(there, { more: '}é' }));
  const cut = bytes.indexOf('é') + 1;
  child.stdin?.write(bytes.subarray(0, cut));
  await pause(100);
  child.stdin?.write(bytes.subarray(cut));
  const { code, out } = await ended;
  expect(code).toBe(0);
  expect(contextIn(out)).toContain('Invoices are numbered');
});
