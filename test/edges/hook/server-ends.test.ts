import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { contextIn, environment, type Place, place, PLUGIN, talkInPeace } from '../mcp/talk.ts';
import { finishing } from '../../finishing.ts';
import { transcript } from './transcript.ts';
import { PATIENCE } from '../../patience.ts';

const HOOK = path.join(PLUGIN, 'dist', 'hook.js');
const [ONE, TWO] = ['61111111-2222-4333-8444-555555555555', '62222222-2222-4333-8444-555555555555'];

function run(there: Place, session: string, args: readonly string[], input: object = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [HOOK, ...args], {
    cwd: there.project,
    env: environment(there),
    input: JSON.stringify({ session_id: session, cwd: there.project, ...input }),
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

function longTalk(there: Place, session: string): string {
  const talk = transcript(there, session);
  for (let turn = 0; turn < 8; turn++) {
    talk.prompt(`Please change part ${turn} of the invoice numbering`);
    talk.edit(`src/invoice-${turn}.ts`);
    talk.reply(`Part ${turn} is done and tested.`);
  }
  return talk.file;
}

const summaryOf = ({ privateRoot }: Place, session: string): string => path.join(privateRoot, 'sessions', `${session}.md`);
const notesIn = ({ home }: Place): string => path.join(home, 'holdfast', 'projects', 'shop', 'sessions');
const serverOf = (there: Place, session: string): { readonly pid: number; readonly released?: boolean } | undefined =>
  (JSON.parse(fs.readFileSync(path.join(notesIn(there), `${session}.json`), 'utf8')) as { server?: { pid: number; released?: boolean } }).server;
const isQuiet = ({ home }: Place): boolean => finishing(home) === 0;

test('the server has a session finished when another follows it and when its client goes', async () => {
  const there = place();
  const server = await talkInPeace(there);
  const [first, second] = [longTalk(there, ONE), longTalk(there, TWO)];
  await server.hook('UserPromptSubmit', { prompt: 'go ahead', session_id: ONE, transcript_path: first });
  expect(serverOf(there, ONE)?.pid).toBe(server.child.pid);
  // As after /clear: the same server, another session.
  expect(run(there, ONE, ['SessionEnd'], { reason: 'clear', transcript_path: first })).toEqual({ code: 0, out: '', err: '' });
  expect(finishing(there.home)).toBe(0);
  await server.hook('UserPromptSubmit', { prompt: 'go ahead', session_id: TWO, transcript_path: second });
  await vi.waitFor(() => fs.statSync(summaryOf(there, ONE)), PATIENCE);
  await vi.waitFor(() => expect(isQuiet(there)).toBe(true), PATIENCE);
  expect(fs.existsSync(summaryOf(there, TWO))).toBe(false);

  server.child.stdin?.end();
  expect(await server.ended).toBe(0);
  await vi.waitFor(() => fs.statSync(summaryOf(there, TWO)), PATIENCE);
  await vi.waitFor(() => expect(isQuiet(there)).toBe(true), PATIENCE);
  expect(serverOf(there, TWO)).toMatchObject({ released: true });
  // The server has seen to it: the hook at the end starts nothing.
  const finished = path.join(there.home, 'holdfast', 'hooks', 'claude-code.finish.seen');
  fs.rmSync(finished, { force: true });
  expect(run(there, TWO, ['SessionEnd'], { reason: 'other', transcript_path: second })).toEqual({ code: 0, out: '', err: '' });
  expect([isQuiet(there), fs.existsSync(finished)]).toEqual([true, false]);
});

test('a session that the server was never asked about is finished by the hook at its end; one that left no transcript by nobody', async () => {
  const there = place();
  expect(run(there, ONE, ['SessionEnd'], { reason: 'other', transcript_path: path.join(there.project, 'none.jsonl') })).toEqual({ code: 0, out: '', err: '' });
  const file = longTalk(there, ONE);
  expect(run(there, ONE, ['SessionEnd'], { reason: 'other', transcript_path: file })).toEqual({ code: 0, out: '', err: '' });
  await vi.waitFor(() => fs.statSync(summaryOf(there, ONE)), PATIENCE);
  await vi.waitFor(() => expect(isQuiet(there)).toBe(true), PATIENCE);
});

test('a session that was compacted is told by the server; by the hook only where no server was asked', async () => {
  const there = place();
  const server = await talkInPeace(there);
  await server.says('keep that', { session_id: 'asking' });
  await server.call('memory_save', { category: 'decision', text: 'Invoices are numbered per country because the law asks for it', asked: 'keep that' });
  await server.hook('PreCompact', { trigger: 'auto', session_id: ONE });
  expect(run(there, ONE, ['SessionStart'], { source: 'compact' })).toEqual({ code: 0, out: '', err: '' });
  expect(contextIn(await server.hook('SessionStart', { source: 'compact', session_id: ONE }))).toContain('for="recovery"');
  expect(contextIn(run(there, TWO, ['SessionStart'], { source: 'compact' }).out)).toContain('for="recovery"');
  expect(run(there, TWO, ['SessionStart'], { source: 'compact' })).toEqual({ code: 0, out: '', err: '' });
});

test('where the server was killed, the hooks answer in its place: after a compaction, and at the end', async () => {
  const there = place();
  const server = await talkInPeace(there);
  await server.says('keep that', { session_id: ONE });
  await server.call('memory_save', { category: 'decision', text: 'Invoices are numbered per country because the law asks for it', asked: 'keep that' });
  const file = longTalk(there, ONE);
  await server.hook('PreCompact', { trigger: 'auto', session_id: ONE, transcript_path: file });
  server.child.kill('SIGKILL');
  await server.ended;
  expect(serverOf(there, ONE)).toMatchObject({ pid: server.child.pid });
  expect(contextIn(run(there, ONE, ['SessionStart'], { source: 'compact' }).out)).toContain('for="recovery"');
  expect(run(there, ONE, ['SessionEnd'], { reason: 'other', transcript_path: file })).toEqual({ code: 0, out: '', err: '' });
  await vi.waitFor(() => fs.statSync(summaryOf(there, ONE)), PATIENCE);
  await vi.waitFor(() => expect(isQuiet(there)).toBe(true), PATIENCE);
});

test.skipIf(process.platform !== 'linux')('another process that was given the number of a killed server is not taken for it', async () => {
  const there = place();
  const server = await talkInPeace(there);
  await server.hook('PreCompact', { trigger: 'auto', session_id: ONE });
  server.child.kill('SIGKILL');
  await server.ended;
  const note = path.join(notesIn(there), `${ONE}.json`);
  fs.writeFileSync(note, fs.readFileSync(note, 'utf8').replace(/"pid":\d+/, `"pid":${process.pid}`));
  expect(contextIn(run(there, ONE, ['SessionStart'], { source: 'compact' }).out)).toContain(`Session id: ${ONE}.`);
});

test.skipIf(process.platform !== 'linux')('a session that goes on without a server is finished by the hook at its end', async () => {
  const there = place();
  const server = await talkInPeace(there);
  const file = longTalk(there, ONE);
  await server.hook('PreCompact', { trigger: 'auto', session_id: ONE, transcript_path: file });
  server.child.stdin?.end();
  await server.ended;
  await vi.waitFor(() => expect(isQuiet(there)).toBe(true), PATIENCE);
  run(there, ONE, ['SessionStart'], { source: 'resume' });
  expect(serverOf(there, ONE)).toBeUndefined();
  fs.rmSync(summaryOf(there, ONE), { force: true });
  const finished = path.join(there.home, 'holdfast', 'hooks', 'claude-code.finish.seen');
  fs.rmSync(finished, { force: true });
  run(there, ONE, ['SessionEnd'], { reason: 'other', transcript_path: file });
  await vi.waitFor(() => fs.statSync(finished), PATIENCE);
});

test.skipIf(process.platform !== 'linux')('however fast sessions follow each other, one process finishes them, and none is left out', async () => {
  const there = place();
  const server = await talkInPeace(there);
  const sessions = Array.from({ length: 5 }, (_, at) => `6${String(at).padStart(7, '0')}-2222-4333-8444-555555555555`);
  let most = 0;
  for (const session of sessions) {
    await server.hook('UserPromptSubmit', { prompt: 'go ahead', session_id: session, transcript_path: longTalk(there, session) });
    most = Math.max(most, finishing(there.home));
  }
  const running = () => {
    const now = finishing(there.home);
    most = Math.max(most, now);
    return now;
  };
  await vi.waitUntil(() => running() === 0 && sessions.slice(0, -1).every((session) => fs.existsSync(summaryOf(there, session))), PATIENCE);
  expect(most).toBe(1);
});

test.skipIf(process.platform !== 'linux')('however many compactions are told, one process at a time takes them in', async () => {
  const there = place();
  const server = await talkInPeace(there);
  let most = 0;
  for (let at = 0; at < 12; at++) {
    await server.hook('PreCompact', { session_id: `session-${at % 3}` });
    await server.hook('SessionStart', { source: 'compact', session_id: `session-${at % 3}` });
    most = Math.max(most, finishing(there.home));
  }
  const running = () => {
    const now = finishing(there.home);
    most = Math.max(most, now);
    return now;
  };
  await vi.waitUntil(() => running() === 0, PATIENCE);
  expect(most).toBe(1);
});
