import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandModel, splitCommandLine, readOutput } from '../../../src/adapters/model/command/command.ts';
import type { Completion, ModelRefusal } from '../../../src/core/ports/model.ts';
import type { Result } from '../../../src/core/result.ts';
import { bundleProgram } from '../../processes/program.ts';
import { scratch } from '../../scratch.ts';
import { PATIENCE } from '../../patience.ts';

const REQUEST = { model: 'haiku', system: 'Be brief.', prompt: 'Say hello; $(touch pwned) `id`', maxTokens: 100 };

/** A client written for this test, as a real program. */
function client(code: string, more: { timeoutMs?: number; limitBytes?: number; env?: Record<string, string> } = {}) {
  const folder = scratch();
  const script = path.join(folder, 'a client.mjs');
  fs.writeFileSync(script, `import fs from 'node:fs'; import { spawn } from 'node:child_process'; const input = fs.readFileSync(0, 'utf8');\n${code}`);
  const command = `"${process.execPath}" "${script}" --model {model}`;
  const cwd = path.join(folder, 'staging');
  const env = { PATH: process.env['PATH'] ?? '', CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', ...more.env };
  const model = new CommandModel({ command, cwd, env, timeoutMs: more.timeoutMs ?? PATIENCE.timeout, limitBytes: more.limitBytes ?? 100_000 });
  return { folder, cwd, ask: (): Promise<Result<Completion, ModelRefusal>> => model.complete(REQUEST) };
}

/** A process that ended but was not waited for (a zombie) counts as ended. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] : undefined;
  return state?.startsWith('Z') !== true;
}

describe('a headless client', () => {
  it('is given the prompt on standard input, the model in its place, and the mark that keeps hooks quiet', async () => {
    const { ask, cwd, folder } = client(
      'console.log(JSON.stringify({ input, args: process.argv.slice(2), cwd: process.cwd(), mark: process.env.HOLDFAST_CHILD, nested: process.env.CLAUDECODE ?? null }))',
    );
    const answer = await ask();
    if (!answer.ok) throw new Error(answer.error.message);
    expect(JSON.parse(answer.value.text)).toEqual({
      input: 'Be brief.\n\nSay hello; $(touch pwned) `id`',
      args: ['--model', 'haiku'],
      cwd,
      mark: '1',
      nested: null,
    });
    expect(answer.value.usage).toMatchObject({ estimated: true });
    expect(fs.readdirSync(cwd)).toEqual([]);
    expect(fs.statSync(cwd).mode & 0o777).toBe(0o700);
    expect(fs.existsSync(path.join(folder, 'pwned'))).toBe(false);
  });

  /** Lets a client that never answers run into its time limit, and waits for the end of the process whose id it wrote beside itself. */
  const expectEnded = async (code: string): Promise<void> => {
    // On a busy machine the client may not have come so far within the first of these.
    for (const timeoutMs of [700, 5_000, 30_000]) {
      const { ask, folder } = client(`const write = (pid) => fs.writeFileSync(process.argv[1] + '.pid', String(pid)); ${code}; setInterval(() => {}, 1000);`, {
        timeoutMs,
      });
      expect(await ask()).toMatchObject({
        ok: false,
        error: { code: 'MODEL_ERROR', maybeSpent: true, message: expect.stringContaining(`within ${timeoutMs / 1000} s`) as string },
      });
      const pidFile = path.join(folder, 'a client.mjs.pid');
      if (!fs.existsSync(pidFile)) continue;
      await expect.poll(() => runs(Number(fs.readFileSync(pidFile, 'utf8'))), PATIENCE).toBe(false);
      return;
    }
    expect.unreachable('the client never wrote the id');
  };

  it('that takes too long is ended with its children', async () => {
    await expectEnded(`write(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid)`);
  });

  it('that does not listen to being asked to end is ended all the same', async () => {
    await expectEnded(`process.on('SIGTERM', () => {}); write(process.pid)`);
  });

  it('ends with us when we are ended', async () => {
    const program = await bundleProgram('asker');
    onTestFinished(() => fs.rmSync(program, { force: true }));
    const folder = scratch();
    const script = path.join(folder, 'client.mjs');
    fs.writeFileSync(script, `import fs from 'node:fs'; fs.writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`);
    const asker = spawn(process.execPath, [program, folder, `"${process.execPath}" "${script}"`], { stdio: 'ignore' });
    const pidFile = path.join(folder, 'pid');
    await expect.poll(() => fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8'), PATIENCE).toMatch(/^\d+$/);
    const pid = Number(fs.readFileSync(pidFile, 'utf8'));
    expect(runs(pid)).toBe(true);
    asker.kill('SIGTERM');
    const [, signal] = (await once(asker, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGTERM');
    await expect.poll(() => runs(pid), PATIENCE).toBe(false);
  });

  it('whose child holds the output open has answered when it ends', async () => {
    const { ask } = client(`spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit' }); console.log('done'); process.exit(0);`);
    expect(await ask()).toMatchObject({ ok: true, value: { text: 'done' } });
  });

  it('that prints without end is ended', async () => {
    const { ask } = client(`const line = 'x'.repeat(1000); setInterval(() => { for (let n = 0; n < 50; n++) console.log(line); }, 1);`, {
      limitBytes: 200_000,
    });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', message: expect.stringContaining('more than 200000 bytes') as string } });
  });

  it('that fails is repeated in a line, without secrets', async () => {
    const { ask } = client(`console.error('cannot log in\\nwith password=hunter2hunter2'); process.exit(3);`);
    const answer = await ask();
    expect(answer).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', message: expect.stringMatching(/failed with 3: cannot log in with/) as string } });
    expect(JSON.stringify(answer)).not.toContain('hunter2hunter2');
  });

  it('that ends without reading what it is given is judged by what it says', async () => {
    const folder = scratch();
    const model = new CommandModel({ command: `"${process.execPath}" -p 40+2`, cwd: folder, env: {}, timeoutMs: PATIENCE.timeout, limitBytes: 1000 });
    expect(await model.complete({ ...REQUEST, prompt: 'x'.repeat(1_000_000) })).toMatchObject({ ok: true, value: { text: '42' } });
  });

  it('that says nothing, or does not exist, or is not named, is refused', async () => {
    expect(await client('').ask()).toMatchObject({ ok: false, error: { message: expect.stringContaining('printed no answer') as string } });
    const named = (command: string) => new CommandModel({ command, cwd: scratch(), env: {}, timeoutMs: PATIENCE.timeout, limitBytes: 1000 }).complete(REQUEST);
    expect(await named('no-such-program-here -p')).toMatchObject({
      ok: false,
      error: { code: 'MODEL_ERROR', hint: expect.stringContaining('model.command') as string },
    });
    expect(await named('  ')).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', message: 'model.command is empty' } });
  });
});

describe('what a client prints', () => {
  const claude = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: '{"a":1}',
    usage: { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 4, output_tokens: 9 },
  };
  const codex = [
    { type: 'thread.started', thread_id: 'x' },
    { type: 'item.completed', item: { type: 'reasoning', text: 'hm' } },
    { type: 'item.completed', item: { type: 'agent_message', text: 'hello' } },
    { type: 'turn.completed', usage: { input_tokens: 30, cached_input_tokens: 10, output_tokens: 4 } },
  ];
  const gemini = { response: 'hello', stats: { models: { 'gemini-x': { tokens: { prompt: 40, candidates: 5, thoughts: 2 } } } } };

  it.each<[string, string, object]>([
    ["Claude Code's JSON", JSON.stringify(claude), { text: '{"a":1}', input: 27, output: 9 }],
    ["Claude Code's list of events", JSON.stringify([{ type: 'system' }, claude]), { text: '{"a":1}', input: 27, output: 9 }],
    [
      "Claude Code's failure",
      JSON.stringify({ ...claude, is_error: true, result: 'Credit balance is too low' }),
      { text: 'Credit balance is too low', failed: true },
    ],
    ["Codex's events", codex.map((event) => JSON.stringify(event)).join('\n'), { text: 'hello', input: 30, output: 4 }],
    ["Codex's failure", `${JSON.stringify({ type: 'turn.failed', error: { message: 'limit reached' } })}\n`, { text: 'limit reached', failed: true }],
    ["Gemini CLI's JSON", JSON.stringify(gemini, null, 2), { text: 'hello', input: 40, output: 7 }],
    ['plain text', 'Hello.\nIt is done.\n', { text: 'Hello.\nIt is done.' }],
    ['a draft, which is JSON of its own', '{"action": "create", "record": {"title": "x"}}', { text: '{"action": "create", "record": {"title": "x"}}' }],
    ['words around JSON', 'Here: {"type": "result"}', { text: 'Here: {"type": "result"}' }],
  ])('%s is read', (_what, out, wanted) => {
    expect(readOutput(out)).toMatchObject(wanted);
  });
});

describe('a command line', () => {
  it.each<[string, readonly string[]]>([
    ['claude -p --model {model}', ['claude', '-p', '--model', '{model}']],
    [`"a b" 'c "d"' e\\ f ""`, ['a b', 'c "d"', 'e f', '']],
    ['C:\\tools\\claude.exe -p', ['C:\\tools\\claude.exe', '-p']],
    ['echo $HOME; rm -rf * | cat > x', ['echo', '$HOME;', 'rm', '-rf', '*', '|', 'cat', '>', 'x']],
  ])('%s', (line, words) => {
    expect(splitCommandLine(line)).toEqual({ ok: true, value: words });
  });

  it('with a quote that does not end is refused', () => {
    expect(splitCommandLine('claude "-p')).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
  });
});
