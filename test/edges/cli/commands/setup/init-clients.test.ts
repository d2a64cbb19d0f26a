import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../../../mcp/talk.ts';
import { type Answer, PROGRAM, runProgram } from '../../program.ts';
import { init, settled as placeOf, type UserPlace } from './user-place.ts';

/** A user's own settings, oddly laid out, with comments where the client allows them. */
const FILES = {
  '.codex/config.toml': '# my settings\r\nmodel = "gpt"\r\n\r\n[mcp_servers.other]   # keep\r\ncommand = "x"',
  '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
  '.gemini/settings.json': '{\n\t// theme\n\t"theme": "Dark", /* "hooks": {} */\n\t"mcpServers": { "other": { "command": "x" }, },\n}\n',
  '.config/kilo/kilo.json': '{"mcp":{"other":{"type":"local","command":["x"]}}}',
  '.copilot/mcp-config.json': '{\n   "mcpServers" :{\n   }\n}\n\n',
  '.qwen/settings.json': '{\r\n  "theme": "Qwen", // mine\r\n  "hooks": {}\r\n}\r\n',
  '.cursor/hooks.json': '{ "version": 1, "hooks": { "stop": [{ "command": "say done" }], "sessionStart": [] } }',
  '.cursor/mcp.json': '{ "mcpServers": { "z": {"command":"z"}, "a": {"command":"a"} } }\n',
  '.factory/settings.json': '// droid\n{ "hooks": { "Stop": [ ] }, }',
  '.config/goose/config.yaml': '# mine\nGOOSE_PROVIDER: openai\nextensions:\n    developer:   # keep\n        enabled: true\n        type: builtin\nother: 1',
  '.cline/data/settings/cline_mcp_settings.json': '{"mcpServers":{}}',
  '.config/opencode/opencode.json': '{\n  "$schema": "https://opencode.ai/config.json", // schema\n  "tools": { "bash": true }\n}',
};

const settled = (files: Readonly<Record<string, string>> = FILES): UserPlace => placeOf(files);

/** Every file but Holdfast's own state. */
const textsUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => [entry.isFile(), path.join(entry.parentPath, entry.name)] as const)
      .filter(([isFile, file]) => isFile && !file.startsWith(path.join(folder, 'home', 'holdfast')))
      .map(([, file]) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]),
  );

const texts = (user: string): Record<string, string> =>
  Object.fromEntries(Object.keys(FILES).map((name) => [name, fs.readFileSync(path.join(user, name), 'utf8')]));

test('init --client all, twice, then --remove leaves the user’s settings byte for byte as they were', () => {
  const there = settled();
  const before = textsUnder(there.user);
  expect(init(there, '--client', 'all', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('Codex asks once') as string });
  const once = texts(there.user);
  expect(init(there, '--client', 'all', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('Everything is set up already') as string });
  expect(texts(there.user)).toEqual(once);
  for (const [name, text] of Object.entries(FILES)) {
    expect(once[name], name).not.toBe(text);
    for (const own of ['# keep', 'say done', '// mine', '// droid', 'developer:   # keep', '// theme', '/* "hooks": {} */', '// schema', '"bash": true'].filter(
      (words) => text.includes(words),
    ))
      expect(once[name], name).toContain(own);
  }
  expect(init(there, '--client', 'all', '--remove', '--yes')).toMatchObject({ code: 0 });
  expect(textsUnder(there.user)).toEqual(before);
});

test('init from one project and --remove from another leaves the user’s settings byte for byte as they were', () => {
  const there = settled();
  const before = textsUnder(there.user);
  const other = { ...there, project: path.join(there.user, 'other') };
  fs.mkdirSync(other.project);
  init(there, '--client', 'all', '--yes');
  // The clients are set up already: only memory is turned on, with a file of the project for Cline.
  expect(init(other, '--client', 'all', '--yes').out).not.toContain('.codex');
  expect(init(other, '--client', 'all', '--remove', '--yes')).toMatchObject({ code: 0 });
  const after = textsUnder(there.user);
  for (const name of Object.keys(FILES)) expect(after[name], name).toBe(before[name]);
  expect(textsUnder(other.project)).toEqual({});
  // Run in the first project, it removes that project's own files and restores the user's settings.
  expect(init(there, '--client', 'all', '--remove', '--yes')).toMatchObject({ code: 0 });
  expect(textsUnder(there.user)).toEqual(before);
});

test('what the user changes between two runs of init survives --remove', () => {
  const there = settled();
  init(there, '--client', 'codex', '--yes');
  const file = path.join(there.user, '.codex/hooks.json');
  const [hooked, own] = [fs.readFileSync(file, 'utf8'), '{"type":"command","command":"say done loudly"}'];
  // The user changes a hook and deletes one of Holdfast's; the second run puts it back.
  fs.writeFileSync(file, hooked.replace('{"type":"command","command":"say done"}', own).replace('hook PreCompact --client codex', 'true'));
  expect(init(there, '--client', 'codex', '--yes').out).toContain('hooks.json');
  init(there, '--client', 'codex', '--remove', '--yes');
  expect(fs.readFileSync(file, 'utf8')).toContain(own);
  expect(fs.readFileSync(file, 'utf8')).not.toContain('--client codex');
});

test('what the user has changed since is kept, and only what is ours goes', () => {
  const there = settled();
  init(there, '--client', 'all', '--yes');
  const add = (name: string, change: (text: string) => string): void =>
    fs.writeFileSync(path.join(there.user, name), change(fs.readFileSync(path.join(there.user, name), 'utf8')));
  add('.codex/config.toml', (text) => `${text}\n[tui]\nx = 1\n`);
  add('.gemini/settings.json', (text) => text.replace('"Dark"', '"Light"'));
  init(there, '--client', 'all', '--remove', '--yes');
  const after = texts(there.user);
  expect(after['.codex/config.toml']).toContain('[tui]');
  expect(after['.gemini/settings.json']).toContain('"Light", /* "hooks": {} */');
  expect(after['.gemini/settings.json']).toContain('"other"');
  expect(JSON.stringify(after)).not.toContain('holdfast');
});

test('all sets up the clients that are here and names the others; one that is named is set up without its folder', () => {
  const there = settled({ '.gemini/settings.json': '{}' });
  const { out } = init(there, '--client', 'all', '--yes');
  expect(out).toContain('set up: claude-code, gemini');
  expect(out).toContain('Left out: codex (not found on this machine).');
  expect(out).toContain('Left out: opencode (not found on this machine).');
  expect(fs.existsSync(path.join(there.user, '.codex'))).toBe(false);
  expect(init(there, '--client', 'codex', '--yes')).toMatchObject({ code: 0 });
  expect(fs.readFileSync(path.join(there.user, '.codex/config.toml'), 'utf8')).toContain('[mcp_servers.holdfast]');
  // Memory stays on for the clients that stay.
  init(there, '--client', 'codex', '--remove', '--yes');
  expect(fs.existsSync(path.join(there.user, '.codex/config.toml'))).toBe(false);
  expect(JSON.parse(fs.readFileSync(path.join(there.privateRoot, 'memory-config.json'), 'utf8'))).toEqual({ mode: 'auto', on: true });
});

test('all leaves a client out whose settings cannot be read or that has the package, says so, and sets the others up', () => {
  const there = settled({ '.gemini/settings.json': '{ "theme": ', '.qwen/settings.json': '{}', '.codex/plugins/cache/holdfast/memory/plugin.json': '{}' });
  const { code, out } = init(there, '--client', 'all', '--yes', '--json');
  expect(code).toBe(0);
  const { clients, left_out: left } = JSON.parse(out) as { clients: string[]; left_out: { client: string; why: string }[] };
  expect(clients).toEqual(['claude-code', 'qwen']);
  expect(left.find(({ client }) => client === 'gemini')?.why).toContain('.gemini/settings.json');
  expect(left.find(({ client }) => client === 'codex')?.why).toContain('its package is installed');
  expect(init(there, '--client', 'codex', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('its package is installed') as string });
  expect(fs.readFileSync(path.join(there.user, '.gemini/settings.json'), 'utf8')).toBe('{ "theme": ');
  // Codex removes a package but for the folder above it.
  fs.rmSync(path.join(there.user, '.codex/plugins/cache/holdfast/memory'), { recursive: true });
  expect(init(there, '--client', 'codex', '--yes')).toMatchObject({ code: 0 });
});

test('a server of that name that the user wrote stays; settings that cannot be read change nothing', () => {
  const own = '[mcp_servers.holdfast]\ncommand = "mine"\n';
  const there = settled({ '.codex/config.toml': own, '.gemini/settings.json': '{ "theme": ' });
  init(there, '--client', 'codex', '--yes');
  expect(fs.readFileSync(path.join(there.user, '.codex/config.toml'), 'utf8')).toBe(own);
  expect(init(there, '--client', 'gemini', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('.gemini/settings.json') as string });
  expect(fs.readFileSync(path.join(there.user, '.gemini/settings.json'), 'utf8')).toBe('{ "theme": ');
});

interface Hook {
  readonly command?: string;
  readonly bash?: string;
  readonly hooks?: readonly { readonly command?: string; readonly bash?: string }[];
}

test('each hook that init writes runs as the client would run it and tells the session what is remembered', () => {
  const there = settled();
  init(there, '--client', 'all', '--yes');
  runProgram(['save', 'decision', 'Invoices are numbered per country because the law asks for it'], { cwd: there.project, env: environment(there) });
  for (const [name, client, start, prompt] of [
    ['.codex/hooks.json', 'codex', 'SessionStart', 'UserPromptSubmit'],
    ['.gemini/settings.json', 'gemini', 'SessionStart', 'BeforeAgent'],
    ['.qwen/settings.json', 'qwen', 'SessionStart', 'UserPromptSubmit'],
    ['.copilot/hooks/holdfast.json', 'copilot', 'sessionStart', 'userPromptSubmitted'],
    ['.cursor/hooks.json', 'cursor', 'sessionStart', 'beforeSubmitPrompt'],
    ['.factory/settings.json', 'droid', 'SessionStart', 'UserPromptSubmit'],
  ] as const) {
    const text = fs.readFileSync(path.join(there.user, name), 'utf8');
    const { hooks } = JSON.parse(text.replace(/\/\/ (?:theme|mine|droid)|\/\*.*?\*\//g, '').replaceAll(/,(\s*})/g, '$1')) as { hooks: Record<string, Hook[]> };
    const run = (event: string, input: object): string => {
      const last = hooks[event]?.at(-1);
      const { command, bash } = last?.hooks?.[0] ?? last ?? {};
      const line = command ?? bash ?? '';
      expect(line).toContain(`hook ${event} --client ${client}`);
      const { stdout } = spawnSync('sh', ['-c', line], {
        cwd: there.project,
        env: environment(there),
        input: JSON.stringify({ session_id: `s-${client}`, cwd: there.project, ...input }),
        encoding: 'utf8',
      });
      return stdout;
    };
    expect(run(start, { source: 'startup' }), client).toContain('numbered per country');
    const asked = '<hook_context>What is remembered: …</hook_context>\n\nWhy are invoices numbered per country?';
    expect(run(prompt, { prompt: asked, session_id: `other-${client}` }), client).toContain('numbered per country');
  }
});

test('Cline runs a file of ours before commands alone; one that the user wrote stays, at init and at --remove', () => {
  const there = settled();
  const script = path.join(there.user, '.cline', 'hooks', 'PreToolUse');
  init(there, '--client', 'cline', '--yes');
  runProgram(['save', 'constraint', 'Never commit without running the linter, because the pipeline fails'], { cwd: there.project, env: environment(there) });
  const run = (name: string, input: object): string =>
    spawnSync(script, {
      cwd: there.project,
      env: environment(there),
      input: JSON.stringify({ workspaceRoots: [there.project], tool_call: { name, input } }),
      encoding: 'utf8',
    }).stdout;
  const said = JSON.parse(run('run_commands', { commands: ['git commit -m x'] })) as { cancel: boolean; contextModification: string };
  expect(said).toMatchObject({ cancel: false, contextModification: expect.stringContaining('running the linter') });
  expect(run('read_files', { commands: ['git commit -m x'] })).toBe('');
  init(there, '--client', 'cline', '--remove', '--yes');
  expect(fs.existsSync(script)).toBe(false);

  fs.mkdirSync(path.dirname(script), { recursive: true });
  fs.writeFileSync(script, '#!/bin/sh\necho mine\n', { mode: 0o755 });
  init(there, '--client', 'cline', '--yes');
  init(there, '--client', 'cline', '--remove', '--yes');
  expect(fs.readFileSync(script, 'utf8')).toBe('#!/bin/sh\necho mine\n');
});

test('opencode’s plugin asks the program and hands on what it answers', async () => {
  const there = settled();
  init(there, '--client', 'opencode', '--yes');
  runProgram(['save', 'constraint', 'Prices are in cents'], { cwd: there.project, env: environment(there) });
  const file = path.join(there.user, '.config/opencode/plugins/holdfast.js');
  expect(fs.readFileSync(file, 'utf8')).toContain(JSON.stringify(['node', PROGRAM]));
  const script = `
    import { spawnSync } from 'node:child_process';
    const { Holdfast } = await import(${JSON.stringify(file)});
    const hooks = await Holdfast({ directory: ${JSON.stringify(there.project)} });
    const say = async (sessionID, text) => {
      const parts = [{ id: 'p1', type: 'text', text }];
      await hooks['chat.message']({ sessionID }, { message: { id: 'm' }, parts });
      const system = [];
      await hooks['experimental.chat.system.transform']({ sessionID }, { system });
      return { parts: parts.slice(1), system };
    };
    const first = await say('main', 'hello');
    spawnSync('node', [${JSON.stringify(PROGRAM)}, 'save', 'decision', 'Invoices are numbered per country because the law asks for it'], { cwd: ${JSON.stringify(there.project)} });
    await hooks.event({ event: { type: 'session.created', properties: { info: { id: 'child', parentID: 'main' } } } });
    const asked = 'Why are invoices numbered per country?';
    const shell = { env: { OPENCODE: '1' } };
    await hooks['shell.env']({ cwd: '/' }, shell);
    console.log(JSON.stringify([first, await say('main', asked), await say('child', asked), shell]));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: environment(there), encoding: 'utf8' });
  type Said = { parts: { id: string; synthetic: boolean }[]; system: string[]; env?: object };
  const [first, main, child, shell] = JSON.parse(stdout || JSON.stringify(stderr)) as Said[];
  expect(first?.system.join('')).toContain('Prices are in cents');
  expect(main?.system).toEqual(first?.system);
  expect(main?.parts).toMatchObject([{ id: 'p1z', synthetic: true, text: expect.stringContaining('numbered per country') as string }]);
  // A server that an agent starts in its shell gets no prompts of the user.
  expect(shell?.env).toEqual({ OPENCODE: '1', HOLDFAST_AGENT_SHELL: '1' });
  // A subagent gets what fits its task, and no brief.
  expect(child).toMatchObject({ parts: [{ text: expect.stringContaining('for="subagent"') as string }], system: [] });
});

test('doctor says of each client what is set up, what has run and what is missing; status lists the clients of the project’s conversations', () => {
  const there = settled({ '.codex/config.toml': '', '.gemini/settings.json': '{}', '.cline/x': '' });
  const run = (...words: readonly string[]): Answer => runProgram(words, { cwd: there.project, env: { HOLDFAST_HOME: there.home, HOME: there.user } });
  init(there, '--client', 'codex', '--yes');
  init(there, '--client', 'goose', '--yes');
  fs.rmSync(path.join(there.user, '.codex/hooks.json'));
  const first = run('doctor').out;
  expect(first).toContain('client  codex: partly set up');
  expect(first).toContain('hooks.json would change');
  expect(first).toContain('client  gemini: on this machine, not set up');
  expect(first).toContain('client  goose: set up by holdfast init; no hooks, tools only');
  expect(first).not.toContain('client  qwen');
  init(there, '--client', 'codex', '--yes');
  expect(run('doctor').out).toContain('client  codex: set up by holdfast init; no hook has run yet');
  expect(run('doctor').out).not.toContain('no client is set up');
  expect(run('doctor').out).toContain('codex is set up, but none of its hooks has run yet.');
  const line = fs.readFileSync(path.join(there.user, '.codex/hooks.json'), 'utf8');
  const { hooks } = JSON.parse(line) as { hooks: Record<string, Hook[]> };
  const input = JSON.stringify({ session_id: 's', cwd: there.project, source: 'startup' });
  spawnSync('sh', ['-c', hooks['SessionStart']?.[0]?.hooks?.[0]?.command ?? ''], { cwd: there.project, env: environment(there), input });
  expect(run('doctor').out).toContain('client  codex: set up by holdfast init; hooks have run');
  const chats: readonly (readonly [string, object])[] = [
    ['.copilot/session-state/c1/events.jsonl', { type: 'session.start', data: { sessionId: 'c1', context: { cwd: there.project } } }],
    ['.codex/sessions/rollout-1.jsonl', { type: 'session_meta', timestamp: '2026-01-02T03:04:05.000Z', payload: { id: 'x1', cwd: there.project } }],
  ];
  const said: Readonly<Record<string, object>> = {
    copilot: { type: 'user.message', id: 'e1', timestamp: '2026-01-02T03:04:05.000Z', data: { content: 'hello' } },
    codex: { type: 'event_msg', timestamp: '2026-01-02T03:04:06.000Z', payload: { type: 'user_message', message: 'hello' } },
  };
  for (const [name, head] of chats) {
    const file = path.join(there.user, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, [head, said[name.slice(1, name.indexOf('/'))]].map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  run('import');
  expect(run('status').out).toMatch(/clients {2}codex 1 session \(last .*, hooks .*\), copilot 1 session/);
  expect(JSON.parse(run('status', '--json').out)).toMatchObject({ clients: [{ client: 'codex', sessions: 1 }, { client: 'copilot' }] });
});
