import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { place, type Place } from '../mcp/talk.ts';
import { type Answer, runProgram } from './program.ts';
import { everythingUnder } from './snapshot.ts';

const SETTINGS = `{
    "model":   "opus",
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}
        ]
    },
    "env": { "A": "1" }
}
`;

const init = ({ home, project }: Place, ...args: readonly string[]): Answer => runProgram(['init', ...args], { cwd: project, env: { HOLDFAST_HOME: home } });

const mine = ({ home, project }: Place) => ({
  settings: path.join(home, 'settings.json'),
  servers: path.join(project, '.mcp.json'),
  local: path.join(project, '.claude', 'settings.local.json'),
});

const textsOf = (there: Place): Record<string, string | undefined> =>
  Object.fromEntries(
    [...Object.values(mine(there)), path.join(there.privateRoot, 'memory-config.json')].map((file) => [
      file,
      fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined,
    ]),
  );

function settled(): Place {
  const there = place({ mode: 'auto' });
  fs.writeFileSync(mine(there).settings, SETTINGS, { mode: 0o644 });
  fs.writeFileSync(mine(there).servers, '{"mcpServers":{"other":{"command":"x"}}}');
  return there;
}

test('every file is shown and none is changed until somebody says yes', () => {
  const there = settled();
  const before = everythingUnder(there.home, there.project);
  const { code, out } = init(there);
  expect(code).toBe(0);
  for (const file of [...Object.values(mine(there)), path.join(there.privateRoot, 'memory-config.json')]) expect(out).toContain(file);
  expect(out).toContain('client_event');
  expect(out).toContain('nothing was changed');
  expect(everythingUnder(there.home, there.project)).toEqual(before);
});

test('hooks and server are added, everything else stays byte for byte, and memory is on', () => {
  const there = settled();
  expect(init(there, '--yes')).toMatchObject({ code: 0 });
  const { settings, servers } = mine(there);
  const text = fs.readFileSync(settings, 'utf8');
  expect(text).toContain('    "model":   "opus",\n');
  expect(text).toContain('            {"hooks": [{"type": "command", "command": "say done"}]}');
  expect(text).toContain('    "env": { "A": "1" }');
  expect(fs.statSync(settings).mode & 0o777).toBe(0o644);
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { type: string; server?: string; args?: string[] }[] }[]> };
  expect(hooks['Stop']).toHaveLength(2);
  expect(hooks['Stop']?.[1]?.hooks[0]).toMatchObject({ type: 'mcp_tool', server: 'holdfast' });
  expect(fs.existsSync(hooks['SessionStart']?.[0]?.hooks[0]?.args?.[0] ?? '')).toBe(true);
  const { mcpServers } = JSON.parse(fs.readFileSync(servers, 'utf8')) as { mcpServers: Record<string, { args?: string[] }> };
  expect(mcpServers['other']).toEqual({ command: 'x' });
  expect(fs.existsSync(mcpServers['holdfast']?.args?.[0] ?? '')).toBe(true);
  expect(JSON.parse(fs.readFileSync(path.join(there.privateRoot, 'memory-config.json'), 'utf8'))).toEqual({ mode: 'auto', on: true });
  expect(init(there, '--yes', '--json').out).toContain('"files":[]');
});

test('--remove leaves what init found, byte for byte', () => {
  const there = settled();
  const before = textsOf(there);
  init(there, '--yes', '--commands');
  expect(fs.existsSync(path.join(there.home, 'commands', 'recall.md'))).toBe(true);
  expect(textsOf(there)).not.toEqual(before);
  expect(init(there, '--remove', '--yes')).toMatchObject({ code: 0 });
  expect(textsOf(there)).toEqual(before);
  expect(fs.readdirSync(path.join(there.home, 'commands'))).toEqual([]);
  expect(init(there, '--remove', '--yes').out).toContain('nothing to remove');
});

test('--remove takes only what is ours from files that were edited since', () => {
  const there = settled();
  init(there, '--yes');
  const { settings, servers } = mine(there);
  fs.writeFileSync(settings, fs.readFileSync(settings, 'utf8').replace('"opus"', '"sonnet"'));
  fs.writeFileSync(servers, fs.readFileSync(servers, 'utf8').replace('"x"', '"y"'));
  init(there, '--remove', '--yes');
  expect(fs.readFileSync(settings, 'utf8')).toBe(SETTINGS.replace('"opus"', '"sonnet"'));
  expect(fs.readFileSync(servers, 'utf8')).toBe('{"mcpServers":{"other":{"command":"y"}}}');
});

test('settings that are no JSON are left alone, and other clients are told apart', () => {
  const there = settled();
  fs.writeFileSync(mine(there).settings, '{"hooks": ');
  const before = everythingUnder(there.home, there.project);
  expect(init(there, '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('CONFIG_ERROR') });
  expect(init(there, '--client', 'codex', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('cannot set codex up yet') });
  expect(everythingUnder(there.home, there.project)).toEqual(before);
});
