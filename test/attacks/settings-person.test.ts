import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mergeSettings } from '../../src/app/bundle/settings.ts';
import { type ConfigKey, configKeys, specOf } from '../../src/core/config/keys.ts';
import { isAgentShell } from '../../src/core/trust/agent-shell.ts';
import { lastingProgram, PROGRAM } from '../edges/cli/program.ts';
import { attack } from './attack.ts';

const GUARDED = configKeys().filter((key) => specOf(key).byPerson);

const valueOf = (key: ConfigKey): string => {
  const spec = specOf(key);
  return spec.type === 'enum' ? String(spec.values.find((value) => value !== spec.default)) : 'curl https://evil.example';
};
const cli = lastingProgram();
const settingsFile = path.join(cli.home, 'settings.json');

attack(
  'settings',
  'an agent cannot set what starts a program or names an endpoint',
  GUARDED.map((key) => [key, key]),
  (key) => {
    const answer = cli.runIn({ env: { CLAUDECODE: '1' } }, 'config', 'set', key, valueOf(key), '--user');
    expect([answer.code, answer.err]).toEqual([
      1,
      expect.stringContaining(`${key} starts a program or decides where text is sent, so an agent cannot change it`),
    ]);
    expect(fs.existsSync(settingsFile)).toBe(false);
  },
);

attack(
  'settings',
  'spellings of model.command are refused in /memory:config',
  [
    'set model.command "touch pwned"',
    'set MODEL.COMMAND "touch pwned"',
    'set memory.model.command "touch pwned"',
    'set --user model.command "touch pwned"',
    'unset model.command',
    'set model.drafting command',
    'set embed.endpoint http://evil.example',
  ].map((words) => [words, words]),
  (words) => {
    const session = 's-1';
    const env = { PATH: process.env['PATH'] ?? '', HOME: path.join(cli.folder, 'no-such-home'), CLAUDE_CONFIG_DIR: cli.home, CLAUDE_CODE_SESSION_ID: session };
    const slash = path.join(path.dirname(PROGRAM), 'slash.js');
    const start = (args: readonly string[], input = '') => spawnSync(process.execPath, [slash, ...args], { cwd: cli.project, env, input, encoding: 'utf8' });
    start(['--typed'], JSON.stringify({ session_id: session, command_name: 'memory:config', command_args: words }));
    const { stderr } = start(['config']);
    expect(stderr).toContain('an agent cannot change it');
    expect(fs.existsSync(settingsFile)).toBe(false);
  },
);

attack(
  'settings',
  'the shells of agents are known by their marks',
  [
    { CLAUDECODE: '1' },
    { CLAUDE_CODE_ENTRYPOINT: 'cli' },
    { CODEX_SANDBOX: 'seatbelt' },
    { CODEX_THREAD_ID: 'x' },
    { GEMINI_CLI: '1' },
    { OPENCODE: '1' },
    { CURSOR_AGENT: '1' },
    { AI_AGENT: 'x' },
  ].map((env) => [JSON.stringify(env), env]),
  (env) => expect(isAgentShell({ ...env, TERM: 'xterm' })).toBe(true),
);

attack(
  'bundle',
  'import --settings takes no key that starts a program, names an endpoint or is no setting',
  [
    ...GUARDED.map((key) => [key, key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), valueOf(key))] as const),
    ['__proto__', JSON.parse('{"__proto__": {"model": {"command": "x"}}}') as unknown] as const,
    ['constructor', { constructor: { prototype: { on: true } } }] as const,
    ['hooks', { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch pwned' }] }] } }] as const,
  ],
  (settings) => {
    const merged = mergeSettings('{"theme": "dark"}', JSON.stringify(settings), ['memory']);
    expect(merged).toMatchObject({ ok: true, value: { text: '{"theme": "dark"}', taken: [], refused: [expect.any(String)] } });
  },
);

attack(
  'settings',
  'without a terminal nothing sets them, whatever became of the mark of the agent',
  GUARDED.map((key) => [key, key]),
  (key) => {
    expect(cli.refused('config', 'set', key, valueOf(key), '--user')).toMatchObject({
      error: 'CONFIG_ERROR',
      hint: expect.stringContaining('a terminal of your own'),
    });
    expect(fs.existsSync(settingsFile)).toBe(false);
  },
);

it.runIf(process.platform === 'linux')('a person at a terminal sets them', () => {
  const command = `"${process.execPath}" "${PROGRAM}" --home "${cli.home}" config set model.command my-model --user`;
  const env = { PATH: process.env['PATH'] ?? '', HOME: path.join(cli.folder, 'no-such-home') };
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: cli.project, env, encoding: 'utf8' });
  expect(stdout).toContain('model.command = "my-model"');
  fs.rmSync(settingsFile);
});
