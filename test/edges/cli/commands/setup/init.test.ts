import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contextIn, environment, place, type Place } from '../../../mcp/talk.ts';
import { type Answer, runProgram } from '../../program.ts';
import { everythingUnder } from '../../snapshot.ts';

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

const mine = ({ project }: Place) => ({
  settings: path.join(project, '.claude', 'settings.local.json'),
  servers: path.join(project, '.mcp.json'),
});

const textsOf = (there: Place): Record<string, string | undefined> =>
  Object.fromEntries(
    [...Object.values(mine(there)), path.join(there.privateRoot, 'memory-config.json')].map((file) => [
      file,
      fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined,
    ]),
  );

const textsUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(folder, file).replaceAll('\\', '/'), fs.readFileSync(file, 'utf8')]),
  );

function settled(): Place {
  const there = place({ mode: 'auto' });
  fs.mkdirSync(path.join(there.project, '.claude'));
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
  expect(out).not.toContain('client_event');
  expect(init(there, '--diff').out).toContain('client_event');
  expect(out).toContain('Nothing was changed.');
  expect(everythingUnder(there.home, there.project)).toEqual(before);
});

test('hooks and server are added, everything else stays byte for byte, and memory is on', () => {
  const there = settled();
  expect(init(there, '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('settings.local.json is personal. To keep it out of git') });
  const { settings, servers } = mine(there);
  const text = fs.readFileSync(settings, 'utf8');
  expect(text).toContain('    "model":   "opus",\n');
  expect(text).toContain('            {"hooks": [{"type": "command", "command": "say done"}]}');
  expect(text).toContain('    "env": { "A": "1" }');
  expect(fs.statSync(settings).mode & 0o777).toBe(0o644);
  const { hooks, enabledMcpjsonServers } = JSON.parse(text) as {
    hooks: Record<string, { hooks: { type: string; server?: string; args?: string[] }[] }[]>;
    enabledMcpjsonServers: string[];
  };
  expect(enabledMcpjsonServers).toEqual(['holdfast']);
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
  expect(fs.existsSync(path.join(there.home, 'commands'))).toBe(false);
  expect(init(there, '--remove', '--yes').out).toContain('Nothing to remove.');
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

test.each([
  ['tabs and no last newline', '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}'],
  ['lines that end as on Windows', '{\r\n  "model": "opus",\r\n  "env": {"A": "1"}\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{"model": "opus"}'],
  ['nothing', ''],
  ['white space', '  \n'],
  ['one server approved', '{"enabledMcpjsonServers": ["other"], "note": "\\u00e9 é \u{1F600}"}'],
])('settings with %s are as they were after --remove, byte for byte', (_what, text) => {
  const there = settled();
  const { settings } = mine(there);
  fs.rmSync(settings);
  fs.writeFileSync(settings, text, { mode: 0o440 });
  expect(init(there, '--yes')).toMatchObject({ code: 0 });
  expect(JSON.parse(fs.readFileSync(settings, 'utf8').replace(/^\uFEFF/, ''))).toHaveProperty('hooks.Stop');
  expect(init(there, '--remove', '--yes')).toMatchObject({ code: 0 });
  expect(fs.readFileSync(settings)).toEqual(Buffer.from(text));
  expect(fs.statSync(settings).mode & 0o777).toBe(0o440);
});

test.each([
  ['settings', (there: Place) => mine(there).settings],
  ['servers', (there: Place) => mine(there).servers],
  ['folder of settings', (there: Place) => path.dirname(mine(there).settings)],
])('a link in the place of a project’s %s is not followed, and nothing is changed', (_what, linkOf) => {
  const there = settled();
  const outside = path.join(there.home, 'real');
  fs.renameSync(linkOf(there), outside);
  fs.symlinkSync(outside, linkOf(there));
  const before = everythingUnder(there.home, there.project);
  for (const args of [['--yes'], ['--remove', '--yes']]) {
    expect(init(there, ...args)).toMatchObject({ code: 1, err: expect.stringContaining('is a symbolic link') });
    expect(everythingUnder(there.home, there.project)).toEqual(before);
  }
});

test.each([true, false])('a link in the user’s own home stays a link and leads to what was written (there before: %s)', (isThere) => {
  const there = settled();
  const config = path.join(there.privateRoot, 'memory-config.json');
  const real = path.join(there.home, '..', 'dotfiles.json');
  fs.rmSync(config);
  if (isThere) fs.writeFileSync(real, '{"mode": "auto"}', { mode: 0o640 });
  fs.symlinkSync(real, config);
  expect(init(there, '--yes')).toMatchObject({ code: 0 });
  expect(JSON.parse(fs.readFileSync(real, 'utf8'))).toMatchObject({ on: true });
  expect(init(there, '--remove', '--yes')).toMatchObject({ code: 0 });
  expect(fs.readlinkSync(config)).toBe(real);
  expect(fs.existsSync(real)).toBe(isThere);
  if (isThere) expect([fs.readFileSync(real, 'utf8'), fs.statSync(real).mode & 0o777]).toEqual(['{"mode": "auto"}', 0o640]);
});

test('settings that could not be put back as they were are not changed', () => {
  const there = settled();
  fs.writeFileSync(mine(there).settings, Buffer.from('{"a": "\xff"}', 'latin1'));
  const before = everythingUnder(there.home, there.project);
  expect(init(there, '--yes')).toMatchObject({ code: 5, err: expect.stringContaining('is not UTF-8') });
  expect(everythingUnder(there.home, there.project)).toEqual(before);
});

test('what is set up for one project is not seen in another, nor taken from it', () => {
  const there = settled();
  const other = { ...there, project: path.join(path.dirname(there.project), 'other') };
  fs.mkdirSync(other.project);
  const before = everythingUnder(other.project);
  init(there, '--yes');
  expect(everythingUnder(other.project)).toEqual(before);
  expect(fs.existsSync(path.join(there.home, 'settings.json'))).toBe(false);
  init(other, '--yes');
  const kept = textsOf(there);
  init(other, '--remove', '--yes');
  expect(textsOf(there)).toEqual(kept);
});

test('settings that are no JSON are left alone', () => {
  const there = settled();
  fs.writeFileSync(mine(there).settings, '{"hooks": ');
  const before = everythingUnder(there.home, there.project);
  expect(init(there, '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('CONFIG_ERROR') });
  expect(everythingUnder(there.home, there.project)).toEqual(before);
});

const SHORT = ['recall', 'summarize', 'synthesize', 'user', 'workspace'].map((name) => `commands/${name}.md`);
const AGENTS = ['summarize', 'synthesize'].map((name) => `agents/${name}.md`);

/** The command that a shell runs for a command file when its user types these words. */
function typed(there: Place, file: string, words: string): Answer {
  const [, script = ''] = /```!\n([\s\S]*?)\n```/.exec(fs.readFileSync(file, 'utf8')) ?? [];
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script.replace('$ARGUMENTS', () => words)], {
    cwd: there.project,
    env: environment(there),
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

test('--commands --here puts five commands and two agents into the project; they run, commands of others stay, and --remove takes ours', () => {
  const there = settled();
  const folder = path.join(there.project, '.claude');
  const others = { 'commands/prime.md': 'mine', 'commands/prime-suggest.md': 'mine too', 'commands/user.md': 'my own /user' };
  for (const [name, text] of Object.entries(others)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  const before = textsUnder(folder);
  expect(init(there, '--here', '--yes')).toMatchObject({ code: 2, err: expect.stringContaining('--here needs --commands.') });
  expect(init(there, '--commands', '--here', '--yes')).toMatchObject({ code: 0 });
  const installed = textsUnder(folder);
  expect(Object.keys(installed).toSorted()).toEqual([...new Set([...SHORT, ...AGENTS, ...Object.keys(others), 'settings.local.json'])].toSorted());
  expect(installed).toMatchObject(others);
  expect(fs.existsSync(path.join(there.home, 'commands'))).toBe(false);
  for (const text of Object.values(installed)) expect(text).not.toContain('CLAUDE_PLUGIN_ROOT');
  for (const name of AGENTS) expect(installed[name]).toMatch(new RegExp(`^---\\nname: ${path.basename(name, '.md')}\\n`));
  for (const [, program = ''] of Object.values(installed)
    .join('\n')
    .matchAll(/node "([^"]+)"/g))
    expect(fs.existsSync(program)).toBe(true);

  const at = (name: string): string => path.join(folder, 'commands', `${name}.md`);
  expect(typed(there, at('recall'), '')).toMatchObject({ code: 0, out: expect.stringContaining('no master.md yet') });
  expect(typed(there, at('workspace'), 'add shop $(touch x)')).toMatchObject({ code: 0 });
  expect(fs.existsSync(path.join(there.project, 'x'))).toBe(false);
  expect(typed(there, at('summarize'), 'no-such-session')).toMatchObject({ code: 0, err: expect.stringContaining('NOT_FOUND') });

  expect(init(there, '--remove', '--yes')).toMatchObject({ code: 0 });
  expect(textsUnder(folder)).toEqual(before);
});

test('--commands alone puts them where every project has them, and init touches nothing else', () => {
  const there = settled();
  const { out } = init(there, '--commands', '--yes', '--json');
  const { files } = JSON.parse(out) as { files: { file: string; change: string }[] };
  const ours = [...SHORT, ...AGENTS].map((name) => ({ file: path.join(there.home, name), change: 'create' }));
  const { settings, servers } = mine(there);
  expect(files).toEqual(
    expect.arrayContaining([
      ...ours,
      { file: settings, change: 'edit' },
      { file: servers, change: 'edit' },
      { file: path.join(there.privateRoot, 'memory-config.json'), change: 'edit' },
    ]),
  );
  expect(files).toHaveLength(ours.length + 3);
});

test('the start hook that init registers tells a session what is remembered', () => {
  const there = settled();
  init(there, '--yes');
  runProgram(['save', 'decision', 'Invoices are numbered per country because the law asks for it'], { cwd: there.project, env: environment(there) });
  const { hooks } = JSON.parse(fs.readFileSync(mine(there).settings, 'utf8')) as { hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]> };
  const { command = '', args = [] } = hooks['SessionStart']?.[0]?.hooks[0] ?? {};
  const input = JSON.stringify({ session_id: 's-1', cwd: there.project, hook_event_name: 'SessionStart', source: 'startup' });
  const { stdout } = spawnSync(command, args, { input, cwd: there.project, env: environment(there), encoding: 'utf8' });
  expect(contextIn(stdout)).toMatch(/^- d\w+ \(decision, .*: Invoices are numbered per country/m);
});
