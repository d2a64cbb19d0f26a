import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { place, talkTo } from './talk.ts';

test('the server reads a rollout of Codex as Codex’s: the end of a turn asks to save what was settled', async () => {
  const there = place();
  const file = path.join(there.home, 'sessions', 'rollout-2026-03-01T10-00-00-s-1.jsonl');
  mkdirSync(path.dirname(file), { recursive: true });
  const put = (type: string, payload: object): void => appendFileSync(file, `${JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type, payload })}\n`);
  const said = (role: string, text: string): void =>
    put('response_item', { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  put('session_meta', { id: 's-1', session_id: 's-1', cwd: there.project, cli_version: '0.166.0' });
  said('user', 'Which database should the index use, SQLite or Postgres?');
  const reply = 'We decided to use SQLite for the index instead of Postgres because it needs no server and every test can open its own file.';
  said('assistant', reply);
  const server = talkTo(there);
  await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex-mcp-client', version: '1' } });
  const event = { event: 'Stop', session_id: 's-1', cwd: there.project, transcript_path: file, last_assistant_message: reply };
  const call = (_meta: object) => server.ask('tools/call', { name: 'client_event', arguments: event, _meta });
  expect(await call({ threadId: 's-1', callId: 'the model' })).toMatchObject({ error: { code: -32_602 } });
  const { result } = (await call({ threadId: 's-1', progressToken: 1 })) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
    decision: 'block',
    reason: expect.stringMatching(/^Memory: look again at[^]*SQLite[^]*memory_save/) as string,
  });
});
