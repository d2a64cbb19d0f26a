import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, type Place, place, PLUGIN, type Talk, talkTo } from '../mcp/talk.ts';

const DIST = path.join(PLUGIN, 'dist');
/** As long as the ids that the client gives. */
const s = (n: number): string => `71111111-2222-4333-8444-55555555555${n}`;
const RECORD = 'Invoices are numbered';
const ASKED = 'How are invoices numbered per country?';

function run(there: Place, session: string, event: string, input: object = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(DIST, 'hook.js'), event], {
    cwd: there.project,
    env: environment(there),
    input: JSON.stringify({ session_id: session, cwd: there.project, ...input }),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const start = (there: Place, session: string, source = 'startup'): string => contextIn(run(there, session, 'SessionStart', { source }));
const end = (there: Place, session: string): string => run(there, session, 'SessionEnd');
const prompted = async (server: Talk, session: string, prompt = 'go on'): Promise<string> =>
  contextIn(await server.hook('UserPromptSubmit', { session_id: session, prompt }));
const notesIn = ({ home }: Place): string => path.join(home, 'holdfast', 'projects', 'shop', 'sessions');
const noteOf = (there: Place, session: string): unknown => JSON.parse(fs.readFileSync(path.join(notesIn(there), `${session}.json`), 'utf8'));
const markOf = ({ home }: Place, event: string): string => path.join(home, 'holdfast', 'hooks', `claude-code.${event}.seen`);

function cli(there: Place, ...args: readonly string[]): void {
  const { code, err } = runProgram(args, { cwd: there.project, env: environment(there) });
  expect(code, err).toBe(0);
}

/** A project with one record, and a server that has answered a prompt before. */
async function served(): Promise<{ readonly there: Place; readonly server: Talk }> {
  const there = place();
  cli(there, 'save', 'decision', 'Invoices are numbered per country because the law asks for it');
  const server = talkTo(there);
  await server.hook('UserPromptSubmit', { session_id: s(0), prompt: 'go on' });
  return { there, server };
}

/** A manual edit that no process of Holdfast has seen. */
function edit({ privateRoot }: Place, from: string, to: string): void {
  const folder = path.join(privateRoot, 'decisions');
  const file = path.join(folder, fs.readdirSync(folder)[0] ?? '');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(from, to));
}

test('a start is told by the server with the first prompt, once, and logged as a start', async () => {
  const { there, server } = await served();
  edit(there, 'the law asks', 'the tax office asks');
  expect(start(there, s(1))).toBe('');
  expect(noteOf(there, s(1))).toMatchObject({ start: { source: 'startup' } });
  const first = await prompted(server, s(1), ASKED);
  expect(first).toContain('for="start"');
  expect(first).toContain('the tax office asks');
  expect(first).toContain(`Session id: ${s(1)}.`);
  // Recall does not repeat what the start showed.
  expect(first.split(RECORD)).toHaveLength(2);
  expect(await prompted(server, s(1))).toBe('');
  expect(noteOf(there, s(1))).toMatchObject({ start: { told: true }, server: { pid: server.child.pid } });
  const log = new SqliteInjectionLog(path.join(there.home, 'holdfast', 'projects', 'shop', 'injections.db'));
  expect(log.injections(s(1), 5)).toEqual([expect.objectContaining({ event: 'startup' })]);
  log.close();
});

test('a session that goes on is told what has changed since, with its next prompt', async () => {
  const { there, server } = await served();
  expect(start(there, s(1))).toBe('');
  expect(await prompted(server, s(1))).toContain(RECORD);
  cli(there, 'save', 'decision', 'Refunds are booked on the day they are asked for');
  expect(start(there, s(1), 'resume')).toBe('');
  const told = await prompted(server, s(1));
  expect(told).toContain('Refunds');
  expect(told).not.toContain(RECORD);
});

test('a server that has never answered a prompt is not waited for', () => {
  const there = place();
  cli(there, 'save', 'decision', 'Invoices are numbered per country because the law asks for it');
  expect(start(there, s(1))).toContain(RECORD);
  expect(fs.existsSync(path.join(notesIn(there), `${s(1)}.json`))).toBe(false);
});

test('a session that ended untold has the next ones told at their start, until a server answers again', async () => {
  const { there, server } = await served();
  expect(start(there, s(1))).toBe('');
  expect(end(there, s(1))).toBe('');
  expect(start(there, s(3))).toContain(RECORD);
  expect(start(there, s(4), 'clear')).toContain(RECORD);
  await prompted(server, s(4));
  expect(start(there, s(5), 'clear')).toBe('');
  expect(await prompted(server, s(5))).toContain(RECORD);
});

test('two sessions may wait to be told at once; where a start has waited for long, the next is told at once', async () => {
  const { there, server } = await served();
  for (const session of [s(1), s(2)]) expect(start(there, session)).toBe('');
  const [longAgo, before] = [10, 20].map((minutes) => new Date(Date.now() - minutes * 60_000)) as [Date, Date];
  fs.utimesSync(markOf(there, 'SessionStart'), longAgo, longAgo);
  fs.utimesSync(markOf(there, 'UserPromptSubmit'), before, before);
  expect(start(there, s(3))).toContain(RECORD);
  for (const session of [s(1), s(2)]) expect(await prompted(server, session)).toContain(RECORD);
  expect(await prompted(server, s(3))).toBe('');
});

test('what a turn has changed is told to the session that follows it in the same client', async () => {
  const { there, server } = await served();
  await server.says('keep that', { session_id: 'asking' });
  await server.call('memory_save', { category: 'decision', text: 'Refunds are booked on the day they are asked for', asked: 'keep that' });
  expect(start(there, s(1), 'clear')).toBe('');
  expect(await prompted(server, s(1))).toContain('Refunds are booked');
});

test('a compaction is not left to a prompt; a session whose id could be a path is, and writes nothing elsewhere', async () => {
  const { there, server } = await served();
  expect(contextIn(run(there, s(1), 'SessionStart', { source: 'compact' }))).toContain('for="recovery"');
  const before = fs.readdirSync(there.home).toSorted();
  for (const hostile of ['../../../evil', '..', 'a/b']) {
    expect(start(there, hostile)).toBe('');
    expect(await prompted(server, hostile)).toContain(RECORD);
  }
  expect(fs.readdirSync(there.home).toSorted()).toEqual(before);
  expect(fs.readdirSync(notesIn(there)).every((name) => /^[\w-]+\.json$/.test(name))).toBe(true);
});

test('what could not be told with one prompt is told with the next', async () => {
  const { there } = await served();
  let complaint = '';
  const server = talkTo(there, {}, { complaint: (text) => (complaint += text) });
  for (const session of [s(1), s(2)]) expect(start(there, session)).toBe('');
  expect(await prompted(server, s(1))).toContain(RECORD);
  const held = openDatabase(path.join(there.home, 'holdfast', 'projects', 'shop', 'injections.db'));
  held.exec('BEGIN IMMEDIATE');
  expect(await prompted(server, s(2))).toBe('');
  held.exec('ROLLBACK');
  held.close();
  expect(complaint).toContain('the session goes on');
  expect(await prompted(server, s(2))).toContain(RECORD);
  expect(await prompted(server, s(2))).toBe('');
});

test('a note that cannot be written has the start told at once', async () => {
  const { there, server } = await served();
  fs.mkdirSync(path.join(notesIn(there), `${s(1)}.json`), { recursive: true });
  expect(start(there, s(1))).toContain(RECORD);
  expect(await prompted(server, s(1))).toBe('');
});

test('hook and server write the same note: neither loses what the other wrote', async () => {
  const { there, server } = await served();
  for (let round = 0; round < 3; round++) {
    expect(start(there, s(1), round === 0 ? 'startup' : 'resume')).toBe('');
    expect(noteOf(there, s(1))).not.toHaveProperty('server');
    fs.writeFileSync(path.join(there.project, `file-${round}.ts`), '');
    await prompted(server, s(0));
    await prompted(server, s(1));
    await server.hook('PreToolUse', { session_id: s(1), tool_name: 'Read', file_path: path.join(there.project, `file-${round}.ts`) });
    expect(end(there, s(1))).toBe('');
  }
  expect(noteOf(there, s(1))).toMatchObject({ start: { told: true }, server: { pid: server.child.pid } });
  expect((noteOf(there, s(1)) as { open: string[] }).open).toHaveLength(3);
});

test('where memory was switched off since, neither the start nor a prompt says anything', async () => {
  const { there, server } = await served();
  fs.writeFileSync(path.join(there.privateRoot, 'memory-config.json'), '{"on": false}');
  expect(start(there, s(1))).toBe('');
  expect(fs.existsSync(path.join(notesIn(there), `${s(1)}.json`))).toBe(false);
  expect(await prompted(server, s(1))).toBe('');
});

test('start and recall together stay within what the client takes', async () => {
  const there = place({ on: true, inject: { startTokens: 20_000, promptTokens: 20_000 } });
  const about = 'How is the zeppelin hangar of Friedrichshafen heated?';
  const long = 'because the law of every country that we sell to asks for numbers without a gap '.repeat(10);
  for (let n = 0; n < 12; n++) cli(there, 'save', 'decision', `Invoices of region ${n} are numbered by themselves ${long}`, '--title', `Region ${n}`);
  cli(there, 'save', 'runbook', `The zeppelin hangar of Friedrichshafen is heated before launch ${long}`, '--title', 'Zeppelin hangar');
  const server = talkTo(there);
  expect(await prompted(server, s(0), about)).toContain('Zeppelin hangar');
  expect(start(there, s(1))).toBe('');
  const first = await prompted(server, s(1), about);
  expect(first).toContain('for="start"');
  expect(first).toContain('for="prompt"');
  expect(first.endsWith('</holdfast-memory>')).toBe(true);
  expect(first.length).toBeLessThanOrEqual(10_000);
});
