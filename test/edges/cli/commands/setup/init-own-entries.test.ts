import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { init, settled, type UserPlace } from './user-place.ts';

const read = ({ user }: UserPlace, name: string): string => fs.readFileSync(path.join(user, name), 'utf8');
const write = ({ user }: UserPlace, name: string, text: string): void => fs.writeFileSync(path.join(user, name), text);

const CODEX = '.codex/config.toml';

describe('Codex', () => {
  test('writes its settings anew, without comments and with tables of its own behind ours: init changes nothing then, and --remove takes our tables alone', () => {
    const there = settled({ [CODEX]: '# mine\nmodel = "m" # which\n\n[mcp_servers.other]\ncommand = "x"\n' });
    init(there, '--client', 'codex', '--yes');
    const ours = read(there, CODEX).slice(read(there, CODEX).indexOf('[mcp_servers.holdfast]'));
    const mine = '# mine\nmodel = "m" # which\n\n[mcp_servers.other]\ncommand = "x"\n';
    const trusted = '\n[hooks.state."hooks.json:session_start:0:0"]\ntrusted_hash = """\n[mcp_servers.holdfast]\nx = 1"""\n';
    write(there, CODEX, `${mine}\n${ours}\n[mcp_servers.holdfast.tools.memory_save]\napproval_mode = "approve"\n${trusted}# holdfast: end\n`);
    expect(init(there, '--client', 'codex', '--yes').out).toContain('config.toml');
    const text = `${mine}\n${ours}\n[mcp_servers.holdfast.tools.memory_save]\napproval_mode = "approve"\n${trusted}`;
    expect(read(there, CODEX)).toBe(text);
    expect(init(there, '--client', 'codex', '--yes').out).toContain('Everything is set up already');
    // The program has moved.
    write(there, CODEX, text.replace(/"[^"]*\/dist\/cli\.js"/, '"/old/dist/cli.js"'));
    init(there, '--client', 'codex', '--yes');
    expect(read(there, CODEX)).toBe(text);
    init(there, '--client', 'codex', '--remove', '--yes');
    expect(read(there, CODEX)).toBe(`${mine}\n\n${trusted}`);
  });

  test.each([
    ['on one line', 'mcp_servers = { other = { command = "x" } }\n'],
    ['over lines', 'mcp_servers = {\n  other = { command = "x" },\n}\n'],
  ])('servers that are written as one value, %s, take no table: nothing is changed', (_how, text) => {
    const there = settled({ [CODEX]: text });
    expect(init(there, '--client', 'codex', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('mcp_servers is an inline value') as string });
    expect(read(there, CODEX)).toBe(text);
    expect(init(there, '--client', 'all', '--yes').out).toContain('Left out: codex');
  });

  test.each([
    '[mcp_servers."holdfast"]\ncommand = "mine"\n',
    "[ mcp_servers . holdfast ]\ncommand = 'mine'\n",
    'mcp_servers.holdfast.command = "mine"\n',
    '[mcp_servers]\nholdfast = { command = "mine" }\n',
  ])('a server of our name that the user wrote stays: %j', (text) => {
    const there = settled({ [CODEX]: text });
    init(there, '--client', 'codex', '--yes');
    expect(read(there, CODEX)).toBe(text);
    write(there, CODEX, `${text}# later\n`);
    init(there, '--client', 'codex', '--remove', '--yes');
    expect(read(there, CODEX)).toBe(`${text}# later\n`);
  });
});

const GOOSE = '.config/goose/config.yaml';

describe('Goose', () => {
  test.each(['extensions: {}', 'extensions: null # none', '"extensions": ~', 'extensions: {}\r'])('an empty list is filled: %j', (list) => {
    const text = `GOOSE_MODEL: m\n${list}\nother: 1\n`;
    const there = settled({ [GOOSE]: text });
    init(there, '--client', 'goose', '--yes');
    expect(read(there, GOOSE)).toMatch(/^GOOSE_MODEL: m\n"?extensions"?:(?: *# none)?\r?\n {2}holdfast:\n(?: {4}.*\n)+other: 1\n$/);
    expect(init(there, '--client', 'goose', '--yes').out).toContain('Everything is set up already');
    init(there, '--client', 'goose', '--remove', '--yes');
    expect(read(there, GOOSE)).toBe(text);
  });

  test('a list on one line takes nothing: nothing is changed', () => {
    const text = 'extensions: { developer: { enabled: true } }\n';
    const there = settled({ [GOOSE]: text });
    expect(init(there, '--client', 'goose', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('extensions is written on one line') as string });
    expect(read(there, GOOSE)).toBe(text);
  });

  test('writes its settings anew in its own form: init changes nothing then but the place of a program that moved, and --remove takes our entry alone', () => {
    const there = settled({ [GOOSE]: 'extensions:\n  developer:\n    enabled: true\n' });
    init(there, '--client', 'goose', '--yes');
    const script = /"([^"]*\/dist\/cli\.js)"/.exec(read(there, GOOSE))?.[1] ?? '';
    const anew = (place: string): string =>
      `extensions:\n  developer:\n    enabled: true\n  holdfast:\n    available_tools: []\n    enabled: false\n    cmd: node\n    args:\n    - ${place}\n    - mcp\n    timeout: 300\n  z:\n    cmd: z\nGOOSE_MODE: auto\n`;
    write(there, GOOSE, anew(script));
    expect(init(there, '--client', 'goose', '--yes').out).toContain('Everything is set up already');
    write(there, GOOSE, anew('/old/dist/cli.js'));
    init(there, '--client', 'goose', '--yes');
    expect(read(there, GOOSE)).toBe(anew(script).replace(/cmd: node\n {4}args:\n[^]*- mcp/, `cmd: "node"\n    args: ["${script}","mcp"]`));
    init(there, '--client', 'goose', '--remove', '--yes');
    expect(read(there, GOOSE)).toBe('extensions:\n  developer:\n    enabled: true\n  z:\n    cmd: z\nGOOSE_MODE: auto\n');
  });
});

describe('a server in JSON', () => {
  test('of our name that starts something else stays', () => {
    const own = '{"mcpServers":{"holdfast":{"command":"mine","args":["mcp"]}}}';
    const there = settled({ '.copilot/mcp-config.json': own, '.cursor/mcp.json': own });
    for (const client of ['copilot', 'cursor']) init(there, '--client', client, '--yes');
    for (const name of ['.copilot/mcp-config.json', '.cursor/mcp.json']) {
      expect(read(there, name)).toBe(own);
      write(there, name, `${own}\n`);
    }
    init(there, '--client', 'all', '--remove', '--yes');
    for (const name of ['.copilot/mcp-config.json', '.cursor/mcp.json']) expect(read(there, name)).toBe(`${own}\n`);
  });

  test('that starts Holdfast keeps what its user added', () => {
    const there = settled({ '.gemini/settings.json': '{}' });
    init(there, '--client', 'gemini', '--yes');
    const [before, own] = [read(there, '.gemini/settings.json'), '"holdfast": {\n      "trust": true, // I do'];
    const added = before.replace('"holdfast": {', own).replace('"client_event"', '"client_event", "memory_retire"');
    write(there, '.gemini/settings.json', added.replace(/"[^" ]*\/dist\/cli\.js"/, '"/old/dist/cli.js"'));
    init(there, '--client', 'gemini', '--yes');
    expect(read(there, '.gemini/settings.json')).toBe(added);
    init(there, '--client', 'gemini', '--remove', '--yes');
    expect(read(there, '.gemini/settings.json')).not.toContain('holdfast');
  });
});

test('--remove leaves no folder behind that init made, and none that the user has something in', () => {
  const there = settled({});
  const folders = ['.codex', '.config', '.copilot', '.cline', '.factory'].map((name) => path.join(there.user, name));
  const clients = ['codex', 'opencode', 'kilo', 'copilot', 'cline', 'droid', 'goose'];
  for (const client of clients) init(there, '--client', client, '--yes');
  write(there, '.config/kilo/own.txt', 'mine');
  expect(fs.existsSync(path.join(there.project, '.clinerules'))).toBe(true);
  for (const client of clients) init(there, '--client', client, '--remove', '--yes');
  expect(folders.filter((folder) => fs.existsSync(folder))).toEqual([path.join(there.user, '.config')]);
  expect(fs.readdirSync(path.join(there.user, '.config'))).toEqual(['kilo']);
  expect(fs.readdirSync(path.join(there.user, '.config/kilo'))).toEqual(['own.txt']);
  expect(fs.existsSync(path.join(there.project, '.clinerules'))).toBe(false);
});
