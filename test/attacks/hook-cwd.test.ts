import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runProgram } from '../edges/cli/program.ts';
import { environment, PLUGIN, talkTo } from '../edges/mcp/talk.ts';
import { scratch } from '../scratch.ts';
import { attack } from './attack.ts';

const parts = (count: number, name: string): string => `/${Array.from({ length: count }, () => name).join('/')}`;

const FOLDERS: readonly (readonly [string, string])[] = [
  ['of 20,000 parts', parts(20_000, 'x')],
  ['of 200,000 long parts', parts(200_000, 'folder')],
  ['of 500,000 slashes before a name', `/tmp${'/'.repeat(500_000)}x`],
  ['of 20,000 steps up', parts(20_000, '..')],
  ['of 20,000 dots', parts(20_000, '.')],
  ['of one part of 100,000 letters', `/${'x'.repeat(100_000)}`],
  ['with a NUL', '/tmp/a\0b'],
  ['that is a device', '/dev/zero'],
  ['that is empty', ''],
  ['that is relative', '../../../../etc'],
  ['that is half a surrogate', '/tmp/\ud800'],
];

const homeWithMemoryOn = (): string => {
  const home = join(scratch(), 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ memory: { on: true } }));
  return home;
};

describe('a working folder', () => {
  attack('hook', 'a working folder is survived by a hook', FOLDERS, (cwd) => {
    const env = environment({ home: homeWithMemoryOn() });
    for (const event of ['SessionStart', 'UserPromptSubmit']) {
      const input = JSON.stringify({ session_id: 's-1', cwd, hook_event_name: event, source: 'resume', prompt: 'why SQLite?' });
      const { status, stderr, error } = spawnSync(process.execPath, [join(PLUGIN, 'dist', 'hook.js'), event], {
        env,
        input,
        encoding: 'utf8',
        timeout: 100_000,
      });
      expect({ status, error, stack: /RangeError|at .*:\d+:\d+/.test(stderr) }, event).toEqual({ status: 0, error: undefined, stack: false });
    }
  });

  attack('mcp', 'a working folder is survived by the server', FOLDERS, async (cwd) => {
    const home = homeWithMemoryOn();
    const talk = talkTo({ home, project: home, privateRoot: '' }, {}, { complaint: () => undefined });
    await talk.hook('SessionStart', { cwd, source: 'startup' });
    await talk.hook('UserPromptSubmit', { cwd, prompt: 'why SQLite?' });
    expect(await talk.ask('ping')).toMatchObject({ result: {} });
  });

  attack('transcript', 'a working folder is survived by an import', FOLDERS, (cwd) => {
    const home = homeWithMemoryOn();
    const facts = { sessionId: 's-1', cwd, version: '2.1.197', userType: 'external', isSidechain: false, parentUuid: null };
    const said = { role: 'user', content: 'We chose SQLite because it needs no server' };
    const file = join(home, 's-1.jsonl');
    writeFileSync(file, `${JSON.stringify({ ...facts, type: 'user', uuid: 'u1', timestamp: '2026-03-01T10:00:00Z', message: said })}\n`);
    const { code, err } = runProgram(['import', file], { cwd: home, env: environment({ home }) });
    expect({ code, stack: /RangeError|at .*:\d+:\d+/.test(err) }).toEqual({ code: 0, stack: false });
  });
});
