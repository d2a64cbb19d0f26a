import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { HOOK_LOCK_TIMEOUTS } from '../../../src/app/runtime/event-process.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, place, talkTo } from '../mcp/talk.ts';
import { inTime, PATIENCE } from '../../patience.ts';

const MANY = 300;

test('a record edited by hand in a large memory, while nobody was there, is known to the first prompt', async () => {
  const there = place();
  const cli = (...args: readonly string[]): string => runProgram(args, { cwd: there.project, env: environment(there) }).out;
  cli('save', 'decision', 'Invoices are numbered per country because the law asks for it', '--title', 'Invoices per country');
  const folder = path.join(there.privateRoot, 'decisions');
  const [first = ''] = fs.readdirSync(folder);
  const text = fs.readFileSync(path.join(folder, first), 'utf8');
  for (let n = 0; n < MANY; n++)
    fs.writeFileSync(path.join(folder, `kept-${n}.md`), text.replaceAll('invoices-per-country', `kept-${n}`).replaceAll('Invoices', `Matter ${n}`));
  const old = new Date(Date.now() - 60_000);
  for (const name of ['', ...fs.readdirSync(folder)]) fs.utimesSync(path.join(folder, name), old, old);
  cli('rebuild');
  for (let look = 0; look < 2; look++) cli('search', 'matter');
  const edited = path.join(folder, 'kept-170.md');
  const { mtime } = fs.statSync(folder);
  // In place: nothing but the file itself shows it.
  fs.writeFileSync(edited, fs.readFileSync(edited, 'utf8').replaceAll('the law asks', 'the zeppelin hangar of Friedrichshafen asks'));
  fs.utimesSync(folder, mtime, mtime);
  const server = talkTo(there);
  await server.ask('initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'claude-code' } });
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: 'What did we decide about the zeppelin hangar of Friedrichshafen?' }))).toContain(
    'Matter 170 per country',
  );
});

test('a record edited by hand is known to the next prompt, with a server or without, and another process mends the views', async () => {
  const there = place();
  const cli = (args: readonly string[], input = ''): string => {
    const { out, err } = runProgram(args, { cwd: there.project, env: environment(there), input });
    expect(err).toBe('');
    return out;
  };
  cli(['save', 'decision', 'Invoices are numbered per country because the law asks for it', '--title', 'Invoices per country']);
  const [name = ''] = fs.readdirSync(path.join(there.privateRoot, 'decisions'));
  const record = path.join(there.privateRoot, 'decisions', name);
  const view = (): string => fs.readFileSync(path.join(there.privateRoot, 'index.md'), 'utf8');
  const edit = (from: string, to: string): void => fs.writeFileSync(record, fs.readFileSync(record, 'utf8').replaceAll(from, to));
  /** One writer at a time writes views: while another works, this process neither repairs them nor waits. */
  const whileAnotherWrites = async (work: (attempt: number) => Promise<string>): Promise<string | undefined> => {
    const lock = openDatabase(path.join(there.home, 'holdfast', 'projects', 'shop', 'lock.db'));
    lock.exec('BEGIN EXCLUSIVE');
    const answer = await inTime(HOOK_LOCK_TIMEOUTS.lockMs, work);
    lock.close();
    return answer;
  };
  const server = talkTo(there);
  await server.ask('initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'claude-code' } });
  edit('Invoices', 'Zeppelins');
  const prompt = 'How are zeppelins numbered per country?';
  expect(await whileAnotherWrites(async (attempt) => contextIn(await server.hook('UserPromptSubmit', { prompt, session_id: `s-2-${attempt}` })))).toContain(
    'Zeppelins',
  );
  await vi.waitFor(() => expect(view()).toContain('Zeppelins'), PATIENCE);
  server.child.stdin?.end();
  await server.ended;

  edit('Zeppelins', 'Hangars');
  const asked = (attempt: number) => JSON.stringify({ cwd: there.project, session_id: `s-3-${attempt}`, prompt: 'How are hangars numbered per country?' });
  expect(await whileAnotherWrites(async (attempt) => cli(['hook', 'UserPromptSubmit', '--client', 'codex'], asked(attempt)))).toContain('Hangars');
  await vi.waitFor(() => expect(view()).toContain('Hangars'), PATIENCE);
});

test('under the plugin more is asked for by the server’s tools', async () => {
  const there = place();
  runProgram(['save', 'decision', 'Invoices are numbered per country because the law asks for it'], { cwd: there.project, env: environment(there) });
  const server = talkTo(there);
  const brief = contextIn(await server.hook('SessionStart', { source: 'startup' }));
  expect(brief).toContain('`memory_search`');
  const recalled = contextIn(await server.hook('UserPromptSubmit', { prompt: 'How are invoices numbered per country?', session_id: 's-2' }));
  for (const said of [brief, recalled]) {
    expect(said).toMatch(/`memory_get\b/);
    expect(said).not.toMatch(/`holdfast (?:search|get)/);
  }
});
