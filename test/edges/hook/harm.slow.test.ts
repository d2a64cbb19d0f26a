import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { HOOK_EVENTS, type HookEvent } from '../../../src/app/hooks/call.ts';
import { hookGroups } from '../../../src/app/hooks/registration.ts';
import { fill, smallDisk } from '../cli/small-disk.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, type Place, place, PLUGIN, type Talk, talkTo } from '../mcp/talk.ts';
import { finishing } from '../../finishing.ts';
import { transcript } from './transcript.ts';
import { inTime, PATIENCE } from '../../patience.ts';

const QUESTION = 'How are invoices numbered per country?';
const SESSION = '71111111-2222-4333-8444-555555555555';
const stateOf = ({ home }: Place): string => path.join(home, 'holdfast', 'projects', 'shop');

/** Seconds after which the client goes on without an answer; 0 for an event that it is not asked to tell of. */
function limitOf(event: HookEvent): number {
  const [group] = hookGroups(event, { node: 'node', script: 'hook.js', form: 'plugin' }) as readonly {
    readonly hooks: readonly { readonly timeout: number }[];
  }[];
  return group?.hooks[0]?.timeout ?? 0;
}

const inputFor = (event: HookEvent, there: Place, file: string): Readonly<Record<string, string>> => ({
  session_id: SESSION,
  cwd: there.project,
  transcript_path: file,
  source: 'startup',
  prompt: QUESTION,
  tool_name: 'Write',
  file_path: path.join(there.privateRoot, 'decisions', 'x.md'),
  agent_type: 'Explore',
  agent_id: `a-${event}`,
  last_assistant_message: 'We decided to use PostgreSQL instead of MySQL for the ledger because we need row-level security and our team knows it well.',
  stop_hook_active: 'false',
  trigger: 'auto',
  compact_summary: 'What was said.',
});

interface Ran {
  readonly code: number | null;
  readonly err: string;
}

/** One event as the client hands it on: as a process of its own, or to the server. */
async function answer(event: HookEvent, there: Place, talk: () => Talk, file: string, under: readonly string[] = []): Promise<Ran> {
  const input = inputFor(event, there, file);
  if (!event.startsWith('Session')) {
    const said = await talk().hook(event, input);
    if (said !== '' && event !== 'PreCompact') JSON.parse(said);
    return { code: 0, err: '' };
  }
  const [command, ...args] = [...under, process.execPath, path.join(PLUGIN, 'dist', 'hook.js'), event];
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: there.project, env: environment(there) });
    const err: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
    child.on('close', (code) => resolve({ code, err: err.join('') }));
    child.stdin.end(JSON.stringify(input));
  });
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter(Boolean);

function keep(there: Place, under: readonly string[] = []): void {
  const words = ['save', 'decision', 'Invoices are numbered per country because the law asks for it'];
  const { code, err } = runProgram(words, { cwd: there.project, env: environment(there), under });
  expect(code, err).toBe(0);
}

/** Waits for processes that hooks left to finish a session. */
async function quiet({ home }: Place): Promise<void> {
  await vi.waitFor(() => expect(finishing(home)).toBe(0), PATIENCE);
}

/** Another program that locks a database until the test is over. */
function lock(file: string, how: string): void {
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  database.exec(how);
}

const ALONE = 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE';
const WRITING = 'BEGIN IMMEDIATE';

describe('a database that another process holds', () => {
  test.each(['index.db', 'injections.db', 'lock.db'])('%s: every event is answered in time, with one line at most', async (name) => {
    const ask = async (event: HookEvent) => {
      const there = place();
      onTestFinished(() => quiet(there));
      keep(there);
      const talk = transcript(there, SESSION);
      talk.prompt('hello');
      expect(await answer('SessionStart', there, () => talkTo(there), talk.file)).toMatchObject({ code: 0, err: '' });
      lock(path.join(stateOf(there), name), ALONE);
      const complaints: string[] = [];
      const server = () => talkTo(there, {}, { complaint: (text) => complaints.push(text) });
      const answered = await inTime(limitOf(event) * 1_000, () => {
        complaints.length = 0;
        return answer(event, there, server, talk.file);
      });
      expect(answered, event).toMatchObject({ code: 0 });
      const lines = linesOf((answered?.err ?? '') + complaints.join(''));
      expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(1);
    };
    const asked = HOOK_EVENTS.filter((event) => limitOf(event) > 0);
    expect(asked.length).toBeGreaterThan(8);
    for (let at = 0; at < asked.length; at += 3) await Promise.all(asked.slice(at, at + 3).map(ask));
  });

  test('the server that has it open goes on, and says what it knows again when it is free', async () => {
    const there = place();
    keep(there);
    const complaints: string[] = [];
    const server = talkTo(there, {}, { complaint: (text) => complaints.push(text) });
    expect(contextIn(await server.hook('UserPromptSubmit', { prompt: QUESTION, session_id: 's-0' }))).toContain('Invoices are numbered');
    const databases = ['index.db', 'injections.db'].map((name) => openDatabase(path.join(stateOf(there), name)));
    onTestFinished(() => databases.forEach((database) => database.close()));
    for (const database of databases) database.exec(WRITING);
    const prompt = () => server.hook('UserPromptSubmit', { prompt: QUESTION, session_id: 's-1' });
    expect(await inTime(limitOf('UserPromptSubmit') * 1_000, prompt)).toBeDefined();
    expect(linesOf(complaints.join('')).length).toBeLessThanOrEqual(1);
    for (const database of databases) database.exec('ROLLBACK');
    expect(contextIn(await server.hook('UserPromptSubmit', { prompt: QUESTION, session_id: 's-2' }))).toContain('Invoices are numbered');
  });
});

test('a full disk: every hook goes on, with one line at most, and nothing of the memory is lost', async ({ skip }) => {
  const disk = await smallDisk(1_500);
  if (typeof disk === 'string') return skip(disk);
  const { under, seen, program } = disk;
  const there: Place = { home: program.home, project: program.project, privateRoot: path.join(program.home, 'projects', 'webshop') };
  const inside = path.join(seen, 'home', 'projects', 'webshop');
  fs.mkdirSync(inside, { recursive: true });
  fs.writeFileSync(path.join(inside, 'memory-config.json'), '{"on": true}');
  keep(there, under);
  // On another disk, as far as this one goes.
  const talk = transcript({ ...there, home: path.join(program.folder, 'client') }, SESSION);
  talk.prompt('hello');
  const complaints: string[] = [];
  const server = talkTo(there, {}, { under, complaint: (text) => complaints.push(text) });
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: QUESTION, session_id: 's-0' }))).toContain('Invoices are numbered');
  const record = fs.readdirSync(path.join(inside, 'decisions')).map((name) => fs.readFileSync(path.join(inside, 'decisions', name), 'utf8'));
  fill(seen);
  for (const event of HOOK_EVENTS) {
    const { code, err } = await answer(event, there, () => server, talk.file, under);
    expect(code, event).toBe(0);
    complaints.push(err);
  }
  expect(fs.readdirSync(path.join(inside, 'decisions')).map((name) => fs.readFileSync(path.join(inside, 'decisions', name), 'utf8'))).toEqual(record);
  fs.rmSync(path.join(seen, 'filler'));
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: QUESTION, session_id: 's-2' }))).toContain('Invoices are numbered');
  // Counted at the end, by what each line says: one on standard error may come after the answer.
  const said = linesOf(complaints.join(''));
  for (const line of said) expect(HOOK_EVENTS.map((event) => `holdfast ${event} hook`)).toContain(line.split(':')[0]);
  for (const event of HOOK_EVENTS) expect(said.filter((line) => line.startsWith(`holdfast ${event} hook:`)).length, said.join('\n')).toBeLessThanOrEqual(1);
});
