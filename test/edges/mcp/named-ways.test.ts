import { expect, test } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { environment, place, talkTo } from './talk.ts';

/** What the client may read as the start of a session. */
async function briefFor(client: string): Promise<string> {
  const there = place();
  expect(runProgram(['save', 'decision', 'Invoices are numbered per country'], { cwd: there.project, env: environment(there) })).toMatchObject({ code: 0 });
  // No user was heard, so the record waits for one.
  const other = talkTo(there, {}, { client: 'Some Editor' });
  await other.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'Some Editor', version: '1' } });
  const saved = await other.call('memory_save', { category: 'decision', text: 'Use SQLite because it needs no server', asked: 'remember that' });
  expect(saved.text).toContain('quarantined');
  const server = talkTo(there);
  await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: client, version: '1' } });
  const { result } = (await server.ask('resources/read', { uri: 'memory://brief' })) as { result: { contents: { text: string }[] } };
  return result.contents[0]?.text ?? '';
}

test('the inbox is named as the user of the client opens it', async () => {
  expect(await briefFor('claude-code')).toContain('1 record waits in `/memory:inbox`.');
  for (const client of ['goose-cli', 'codex-mcp-client', 'Some Editor']) expect(await briefFor(client)).toContain('1 record waits in `holdfast inbox`.');
});

test('an agent that gives an unknown id is told to find it with its tool', async () => {
  const server = talkTo(place());
  for (const [tool, args] of [
    ['memory_get', { ids: ['nope'] }],
    ['memory_timeline', { around: 'nope' }],
  ] as const)
    expect(await server.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^NOT_FOUND: .*\nfind its id with memory_search$/) as string,
    });
});
