import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, runProgram } from '../cli/program.ts';
import { contextIn, noteOf, place, type Place, type Talk, talkInPeace, talkTo } from '../mcp/talk.ts';

const PROMPT = 'why do webhook retries back off?';

async function keepHandles(server: Talk): Promise<void> {
  await server.says('remember that', { session_id: 'asking' });
  for (const name of ['reader', 'writer'])
    await server.call('memory_save', {
      category: 'runbook',
      title: `Webhook retries back off in the ${name}`,
      text: 'The provider drops webhooks under load.',
      files: [`src/${name}.ts`],
      asked: 'remember that',
    });
}

/** The order in which a session is told of the two. */
async function told(server: Talk, session: string): Promise<readonly string[]> {
  const context = contextIn(await server.hook('UserPromptSubmit', { prompt: PROMPT, session_id: session }));
  return [...context.matchAll(/^- r\w+ \(runbook[^)]*\): Webhook retries back off in the (\w+)/gm)].map(([, name]) => name ?? '');
}

const opens = (server: Talk, there: Place, session: string, tool: string, file: string): Promise<string> =>
  server.hook('PreToolUse', { session_id: session, tool_name: tool, file_path: path.join(there.project, file) });

test('a prompt is told first of the file that the session opened, and why says so', async () => {
  const there = place();
  const server = talkTo(there);
  await keepHandles(server);
  expect(await told(server, 's-0')).toEqual(['writer', 'reader']);
  await opens(server, there, 's-1', 'Read', 'src/reader.ts');
  expect(await told(server, 's-1')).toEqual(['reader', 'writer']);
  // Files that another session opened do not count for this one.
  expect(await told(server, 's-2')).toEqual(['writer', 'reader']);
  const said = runProgram(['why', '--session', 's-1', '--json'], { cwd: there.project, env: { HOLDFAST_HOME: there.home } });
  const { injections } = JSON.parse(said.out) as { injections: { items: { id: string; reasons: string[] }[] }[] };
  const reasons = injections[0]?.items.map((item) => item.reasons.filter((reason) => reason.includes('you are working on')));
  expect(reasons).toEqual([[expect.stringMatching(/^is about .*src\/reader\.ts, which you are working on \(\+0\.3\)$/)], []]);
});

test('what an edit was told of is not told again to a prompt', async () => {
  const there = place();
  const server = talkTo(there);
  await keepHandles(server);
  expect(contextIn(await opens(server, there, 's-1', 'Edit', 'src/writer.ts'))).toContain('Webhook retries back off in the writer');
  expect(await told(server, 's-1')).toEqual(['reader']);
});

test('a search by the agent goes by the files that the session opened, unless it names others', async () => {
  const there = place();
  const server = talkTo(there);
  await keepHandles(server);
  const found = async (more: object = {}): Promise<readonly string[]> => {
    const { text } = await server.call('memory_search', { query: 'webhook retries back off', category: 'runbook', ...more });
    return [...text.matchAll(/^- runbook\/webhook-retries-back-off-in-the-(\w+)/gm)].map(([, name]) => name ?? '');
  };
  await opens(server, there, 's-1', 'Read', 'src/writer.ts');
  expect(await found()).toEqual(['writer', 'reader']);
  expect(await found({ files: ['src/reader.ts'] })).toEqual(['reader', 'writer']);
  await opens(server, there, 's-2', 'Read', 'src/reader.ts');
  expect(await found()).toEqual(['reader', 'writer']);
});

test('a file that is open adds nothing to a prompt about something else', async () => {
  const there = place();
  const server = talkTo(there);
  await keepHandles(server);
  await opens(server, there, 's-1', 'Read', 'src/writer.ts');
  expect(await server.hook('UserPromptSubmit', { prompt: 'write a haiku about the sea at night' })).toBe('');
  expect(await server.hook('UserPromptSubmit', { prompt: 'go on with the provider' })).toBe('');
});

test('the last twenty files are kept, the last one first, each once; a folder search is none', async () => {
  const there = place();
  const server = talkTo(there);
  for (let n = 0; n < 30; n++) await opens(server, there, 's-1', 'Read', `src/${n}.ts`);
  await opens(server, there, 's-1', 'Edit', 'src/20.ts');
  await opens(server, there, 's-1', 'Grep', 'src');
  const open = noteOf(there, 's-1')['open'] as readonly string[];
  expect(open.map((file) => path.basename(file))).toEqual([
    '20.ts',
    ...[29, 28, 27, 26, 25, 24, 23, 22, 21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10].map((n) => `${n}.ts`),
  ]);
});

test('after a compaction the brief has room for what is about the files that were open', async () => {
  const there = place({ on: true, inject: { startTokens: 300 } });
  const server = await talkInPeace(there);
  const keep = async (text: string, files: readonly string[] = []) => {
    await server.says('remember that', { session_id: 'asking' });
    const { text: said, isError } = await server.call('memory_save', { category: 'decision', text, files, asked: 'remember that' });
    expect(isError, said).toBe(false);
  };
  await keep('The queue is a table because a database is there already', ['src/queue.ts']);
  // Times are kept in seconds: the others are to be newer.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const others = ['parser', 'painter', 'mailer', 'printer', 'scanner', 'router', 'cache', 'clock', 'ledger', 'lexer', 'linter', 'loader', 'logger', 'mapper'];
  for (const name of others) await keep(`Every ${name} gets its own ${name}room beside ${name}ville`);
  const shownIn = async (session: string) => contextIn(await server.hook('SessionStart', { source: 'compact', session_id: session }));
  const line = /^- d\w+ \(decision[^)]*observed\): The queue is a table/m;
  expect(await shownIn('s-1')).not.toMatch(line);
  await opens(server, there, 's-2', 'Read', 'src/queue.ts');
  expect(await shownIn('s-2')).toMatch(line);
});

test('recall and brief take open files on the command line as well', () => {
  const cli = program();
  for (const name of ['reader', 'writer'])
    cli.ask('save', 'runbook', 'The provider drops webhooks under load.', '--title', `Webhook retries back off in the ${name}`, '--file', `src/${name}.ts`);
  const ids = (...more: readonly string[]) =>
    (cli.ask('recall', PROMPT, ...more) as { injected: { id: string }[] }).injected.map(({ id }) => id.split('-').at(-1));
  expect(ids()).toEqual(['writer', 'reader']);
  expect(ids('--file', 'src/reader.ts')).toEqual(['reader', 'writer']);
  fs.mkdirSync(path.join(cli.project, 'src'), { recursive: true });
  cli.ask('save', 'decision', 'The queue is a table because a database is there already', '--file', 'src/queue.ts');
  const { items } = cli.ask('brief', '--file', path.join(cli.project, 'src', 'queue.ts')) as { items: { reason: string }[] };
  expect(items.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('about a file open in the work'));
});
