import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../cli/program.ts';
import { environment, place, type Place, type Talk, talkTo } from './talk.ts';

const REPLY = 'We decided to use SQLite for the index instead of Postgres because it needs no server and every test can open its own file.';

/** A rollout in which something was settled, and the event that ends the turn. */
function settledTurn(there: Place): Readonly<Record<string, string>> {
  const file = path.join(there.home, 'sessions', 'rollout-2026-03-01T10-00-00-s-1.jsonl');
  mkdirSync(path.dirname(file), { recursive: true });
  const put = (type: string, payload: object): void => appendFileSync(file, `${JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type, payload })}\n`);
  const said = (role: string, text: string): void =>
    put('response_item', { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  put('session_meta', { id: 's-1', session_id: 's-1', cwd: there.project, cli_version: '0.166.0' });
  said('user', 'Which database should the index use, SQLite or Postgres?');
  said('assistant', REPLY);
  return { session_id: 's-1', cwd: there.project, transcript_path: file, last_assistant_message: REPLY };
}

const ASKS = { decision: 'block', reason: expect.stringMatching(/^Memory: look again at[^]*SQLite[^]*memory_save/) as string };

async function codexServer(there: Place): Promise<Talk> {
  const server = talkTo(there);
  await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex-mcp-client', version: '1' } });
  return server;
}

test('the server reads a rollout of Codex as Codex’s: the end of a turn asks to save what was settled', async () => {
  const there = place();
  const event = { event: 'Stop', ...settledTurn(there) };
  const server = await codexServer(there);
  const call = (_meta: object) => server.ask('tools/call', { name: 'client_event', arguments: event, _meta });
  expect(await call({ threadId: 's-1', callId: 'the model' })).toMatchObject({ error: { code: -32_602 } });
  const { result } = (await call({ threadId: 's-1', progressToken: 1 })) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject(ASKS);
});

test('a Stop hook that is a process of its own asks for drafts through the tool, which saves them and says which client learned it', async () => {
  const there = place();
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'hook', 'Stop', '--client', 'codex'], {
    cwd: there.project,
    env: environment(there),
    input: JSON.stringify(settledTurn(there)),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject(ASKS);
  // In Codex's sandbox an agent can write no file below the home.
  expect(stdout).not.toContain(there.home);
  const server = await codexServer(there);
  const records = [{ category: 'decision', text: 'SQLite for the index', why: 'it needs no server' }];
  const saved = await server.ask('tools/call', {
    name: 'memory_save',
    arguments: { records },
    _meta: { callId: 'c', 'x-codex-turn-metadata': { session_id: 's-1' } },
  });
  expect(saved).toMatchObject({ result: { content: [{ text: expect.stringContaining('decision/sqlite-for-the-index') as string }] } });
  const [file = ''] = readdirSync(path.join(there.privateRoot, 'decisions')).filter((name) => name.includes('sqlite'));
  expect(readFileSync(path.join(there.privateRoot, 'decisions', file), 'utf8')).toMatch(/origin:[^]*channel: capture[^]*client: codex[^]*session_id: s-1/);
});
