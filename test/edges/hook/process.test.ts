import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { everythingUnder } from '../cli/snapshot.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, type Place, place, PLUGIN, talkTo } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';
import { PATIENCE } from '../../patience.ts';

const HOOK = path.join(PLUGIN, 'dist', 'hook.js');
const CLI = path.join(PLUGIN, 'dist', 'cli.js');

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The hook as a client runs it: a pipe on standard input, closed or left open. */
function run(
  event: string,
  input: string | Buffer,
  env: Readonly<Record<string, string>>,
  more: { readonly open?: boolean; readonly args?: readonly string[] } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, more.args === undefined ? [HOOK, event] : [...more.args], { env: { ...env }, stdio: 'pipe' });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
    child.stdin.on('error', () => {});
    child.on('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }));
    child.stdin.write(input);
    if (more.open !== true) child.stdin.end();
  });
}

const startOf = ({ project }: Place, more: object = {}): string =>
  JSON.stringify({ session_id: 's-1', cwd: project, hook_event_name: 'SessionStart', source: 'startup', ...more });

const keep = ({ home, project }: Place): void => {
  const { code, err } = runProgram(['save', 'decision', 'Invoices are numbered per country because the law asks for it'], {
    cwd: project,
    env: environment({ home }),
  });
  expect(code, err).toBe(0);
};

describe('a session that starts', () => {
  test.each(['startup', 'resume', 'clear', 'fork'])('with %s is told what is remembered, and its own id', async (source) => {
    const there = place();
    keep(there);
    const { code, out, err } = await run('SessionStart', startOf(there, { source }), environment(there));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(contextIn(out)).toContain('Invoices are numbered');
    expect(contextIn(out)).toContain('Session id: s-1.');
    expect(contextIn(out).length).toBeLessThanOrEqual(10_000);
  });

  test('in a memory that holds nothing is told its id, which a summary needs', async () => {
    const there = place();
    expect(contextIn((await run('SessionStart', startOf(there), environment(there))).out)).toContain('Session id: s-1.');
  });

  test('that resumes with all before it that is remembered is told nothing, least of all that nothing is', async () => {
    const there = place();
    keep(there);
    await run('SessionStart', startOf(there), environment(there));
    expect(await run('SessionStart', startOf(there, { source: 'resume' }), environment(there))).toMatchObject({ code: 0, out: '', err: '' });
  });

  test('where memory is off, is told nothing, and nothing is left behind', async () => {
    const there = place({ on: false });
    keep(there);
    const before = everythingUnder(there.home);
    for (const event of ['SessionStart', 'SessionEnd']) {
      const { code, out, err } = await run(event, startOf(there), environment(there));
      expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
    }
    expect(everythingUnder(there.home)).toEqual(before);
  });

  test('in a client that Holdfast itself started is told nothing', async () => {
    const there = place();
    keep(there);
    expect((await run('SessionStart', startOf(there), environment(there, { HOLDFAST_CHILD: '1' }))).out).toBe('');
    const server = talkTo(there, { HOLDFAST_CHILD: '1' });
    expect(await server.hook('UserPromptSubmit', { prompt: 'How are invoices numbered per country?' })).toBe('');
  });
});

describe('whatever a hook is given, the session goes on', () => {
  const HOSTILE: readonly (readonly [string, string | Buffer])[] = [
    ['nothing', ''],
    ['broken JSON', '{"session_id": "s'],
    ['a list', '[1, 2]'],
    ['null', 'null'],
    ['bytes', Buffer.from([0, 255, 254, 10, 0])],
    ['deep nesting', '['.repeat(200_000)],
    ['fields of other kinds', '{"session_id": 7, "cwd": ["x"], "source": {"a": 1}}'],
    ['a folder that is not there', '{"session_id": "s", "cwd": "/no/such/folder/anywhere"}'],
    ['a session that climbs', '{"session_id": "../../../../etc/passwd", "source": "compact"}'],
    ['20 MB', `{"session_id": "s", "prompt": "${'x'.repeat(20_000_000)}"}`],
  ];

  test.each(HOSTILE)('%s', async (_name, input) => {
    const there = place();
    for (const event of ['SessionStart', 'SessionEnd']) {
      const { code, err } = await run(event, input, environment(there));
      expect(code).toBe(0);
      expect(err.split('\n').filter(Boolean).length, err).toBeLessThanOrEqual(1);
    }
    expect(fs.existsSync(path.join(there.home, 'etc'))).toBe(false);
  });

  test('standard input that never closes: a whole event is answered at once, half of one after a while', async () => {
    const there = place();
    keep(there);
    const whole = await run('SessionStart', startOf(there), environment(there), { open: true });
    expect(contextIn(whole.out)).toContain('Invoices are numbered');
    const half = await run('SessionStart', '{"session_id": "s', environment(there), { open: true });
    expect(half).toMatchObject({ code: 0, out: '', err: expect.stringMatching(/^holdfast SessionStart hook: .*; the session goes on\n$/) });
  });

  test.skipIf(process.platform === 'win32').each(['/dev/null', '/dev/zero', '/', 'closed'])('standard input that is no pipe: %s', (input) => {
    const there = place();
    keep(there);
    for (const event of ['SessionStart', 'SessionEnd']) {
      const words = `exec "$0" "$1" "$2" ${input === 'closed' ? '<&-' : `<${input}`}`;
      const { status, stderr } = spawnSync('sh', ['-c', words, process.execPath, HOOK, event], {
        cwd: there.project,
        env: environment(there),
        encoding: 'utf8',
      });
      expect({ status, lines: stderr.split('\n').filter(Boolean).length, stderr }).toMatchObject({ status: 0, lines: 1 });
    }
  });

  test.skipIf(process.platform === 'win32')('a working folder that was deleted', () => {
    const there = place();
    keep(there);
    const gone = path.join(there.project, 'gone');
    fs.mkdirSync(gone);
    const input = JSON.stringify({
      session_id: 's-1',
      cwd: there.project,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'How are invoices numbered per country?',
    });
    const ask = (...words: readonly string[]) =>
      spawnSync('sh', ['-c', 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"', gone, process.execPath, ...words], {
        cwd: there.project,
        env: environment(there, { CLAUDE_PROJECT_DIR: there.project, CLAUDE_CODE_SESSION_ID: 's-1' }),
        input: `${input}\n`,
        encoding: 'utf8',
      });
    expect(contextIn(ask(CLI, 'hook', 'UserPromptSubmit', '--client', 'codex').stdout)).toContain('Invoices are numbered');
    expect(ask(CLI, 'search', 'invoices')).toMatchObject({ status: 0, stderr: '' });
    expect(ask(path.join(PLUGIN, 'dist', 'mcp.js'))).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('"jsonrpc":"2.0"') });
    for (const event of [['SessionStart', 'startup'], ['SessionEnd']]) expect(ask(HOOK, ...event)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['SessionStart', 'SessionEnd'])('a program that lost half its files: %s', (event) => {
    const there = place();
    keep(there);
    const dist = path.join(there.home, 'dist');
    fs.mkdirSync(dist);
    fs.copyFileSync(HOOK, path.join(dist, 'hook.js'));
    const { status, stderr } = spawnSync(process.execPath, [path.join(dist, 'hook.js'), event], {
      cwd: there.project,
      env: environment(there, { CLAUDE_CODE_SESSION_ID: 's-1' }),
      input: JSON.stringify({ session_id: 's-1', cwd: there.project }),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^holdfast \w+ hook: [^\n]*holdfast\.js[^\n]*; the session goes on\n$/);
  });

  test('no home', async () => {
    const { code, err } = await run('SessionStart', '{}', { PATH: process.env['PATH'] ?? '', HOME: '' });
    expect(code).toBe(0);
    expect(err.split('\n').filter(Boolean).length).toBeLessThanOrEqual(1);
  });

  test.each(['index.db', 'injections.db'])('a damaged %s', async (name) => {
    const there = place();
    keep(there);
    await run('SessionStart', startOf(there), environment(there));
    const file = path.join(there.home, 'holdfast', 'projects', 'shop', name);
    for (const old of [`${file}-wal`, `${file}-shm`]) fs.rmSync(old, { force: true });
    fs.writeFileSync(file, 'this is no database, '.repeat(1_000));
    const { code, err } = await run('SessionStart', startOf(there, { session_id: 's-2' }), environment(there));
    expect(code).toBe(0);
    expect(err.split('\n').filter(Boolean).length, err).toBeLessThanOrEqual(1);
  });

  test('a home that cannot be written, and a file in place of a folder', async () => {
    const there = place();
    keep(there);
    fs.rmSync(path.join(there.home, 'holdfast'), { recursive: true, force: true });
    fs.writeFileSync(path.join(there.home, 'holdfast'), 'in the way');
    const { code, err } = await run('SessionStart', startOf(there), environment(there));
    expect(code).toBe(0);
    expect(err.split('\n').filter(Boolean).length, err).toBeLessThanOrEqual(1);
  });

  test('settings that are no JSON', async () => {
    const there = place();
    fs.writeFileSync(path.join(there.home, 'settings.json'), '{"memory": ');
    fs.writeFileSync(path.join(there.privateRoot, 'memory-config.json'), '\u0000');
    expect(await run('SessionStart', startOf(there), environment(there))).toMatchObject({ code: 0, out: '' });
  });

  test('what failed is in the log, without the environment', async () => {
    const there = place();
    await run('SessionStart', '{"broken', environment(there, { SECRET_TOKEN: 'do-not-log-me' }));
    const log = fs.readFileSync(path.join(there.home, 'holdfast', 'hooks', 'failures.log'), 'utf8');
    expect(JSON.parse(log)).toMatchObject({ client: 'claude-code', event: 'SessionStart', message: expect.stringContaining('not JSON') });
    expect(log).not.toContain('do-not-log-me');
  });
});

describe('a session that ends', () => {
  test('is taken in and summed up by a process that nobody waits for', async () => {
    const there = place();
    const talk = transcript(there, '11111111-2222-4333-8444-555555555555');
    for (let turn = 0; turn < 8; turn++) {
      talk.prompt(`Please change part ${turn} of the invoice numbering`);
      talk.edit(`src/invoice-${turn}.ts`);
      talk.reply(`Part ${turn} is done and tested.`);
    }
    const session = path.basename(talk.file, '.jsonl');
    const { code, out, err } = await run(
      'SessionEnd',
      startOf(there, { session_id: session, transcript_path: talk.file, reason: 'other' }),
      environment(there),
    );
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
    const summary = path.join(there.privateRoot, 'sessions', `${session}.md`);
    await vi.waitFor(() => expect(fs.existsSync(summary)).toBe(true), PATIENCE);
    expect(fs.readFileSync(summary, 'utf8')).toContain('invoice numbering');
    await vi.waitFor(() => expect(fs.existsSync(path.join(there.home, 'holdfast', 'projects', 'shop', 'finishing'))).toBe(false), PATIENCE);
  });
});

test('where no model drafts, what a session decided is kept when it is over, and once', async () => {
  const there = place({ on: true, model: { drafting: 'none' } });
  const talk = transcript(there, '21111111-2222-4333-8444-555555555555');
  talk.prompt('We decided to use PostgreSQL instead of MySQL for the ledger because we need row-level security and our team knows it well.');
  talk.reply('Understood. I take PostgreSQL for the ledger.');
  talk.edit('src/ledger.ts');
  const folder = path.join(there.privateRoot, 'decisions');
  const finished = path.join(there.home, 'holdfast', 'hooks', 'claude-code.finish.seen');
  for (let end = 0; end < 2; end++) {
    fs.rmSync(finished, { force: true });
    await run('SessionEnd', startOf(there, { session_id: path.basename(talk.file, '.jsonl'), transcript_path: talk.file }), environment(there));
    await vi.waitFor(() => expect(fs.existsSync(finished)).toBe(true), PATIENCE);
    expect(fs.readdirSync(folder)).toHaveLength(1);
  }
});

describe('holdfast hook, for clients without a server', () => {
  test('answers the same events from standard input', async () => {
    const there = place();
    keep(there);
    const ask = (event: string, input: object) =>
      run(event, JSON.stringify({ session_id: 's-1', cwd: there.project, ...input }), environment(there), { args: [CLI, 'hook', event, '--client', 'codex'] });
    expect(contextIn((await ask('UserPromptSubmit', { prompt: 'How are invoices numbered per country?' })).out)).toContain('Invoices are numbered');
    const denied = await ask('PreToolUse', { tool_name: 'Write', tool_input: { file_path: path.join(there.privateRoot, 'decisions', 'x.md') } });
    expect(denied.out).toContain('"deny"');
    expect(await ask('Stop', { stop_hook_active: true })).toMatchObject({ code: 0, out: '', err: '' });
    expect(await run('Stop', '{"broken', environment(there), { args: [CLI, 'hook', 'Stop'] })).toMatchObject({ code: 0, out: '' });
    expect(await ask('NoSuchEvent', {})).toMatchObject({ code: 2 });
  });
});

test('doctor says which hooks have run and which failed', async () => {
  const there = place();
  await run('SessionStart', startOf(there), environment(there));
  const doctor = () => {
    const { status, stdout } = spawnSync(process.execPath, [CLI, 'doctor', '--json'], { cwd: there.project, env: environment(there), encoding: 'utf8' });
    return { status, said: JSON.parse(stdout) as { findings: { what: string }[]; hooks: { seen: { event: string }[] } } };
  };
  const before = doctor();
  expect(before.status).toBe(0);
  expect(before.said.hooks.seen.map(({ event }) => event)).toEqual(['SessionStart']);
  await run('SessionStart', '{"broken', environment(there));
  const after = doctor();
  expect(after.status).toBe(1);
  expect(after.said.findings[0]?.what).toMatch(/The SessionStart hook of claude-code failed at .*: .*not JSON/);
});
