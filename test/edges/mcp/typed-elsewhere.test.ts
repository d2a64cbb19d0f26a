import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { environment, noteOf, type Place, place, PLUGIN, talkTo, type Talk } from './talk.ts';

const HOOK = path.join(PLUGIN, 'dist', 'hook.js');

interface Typed {
  readonly client?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: string;
  readonly more?: object;
  /** The command that starts the hook; without it, the process that starts the server does. */
  readonly under?: readonly string[];
}

/** The user types a prompt in a client whose hooks are processes. */
function types({ home, project }: Place, prompt: string, { client = 'gemini', env = {}, session = 's-1', more = {}, under = [] }: Typed = {}): void {
  const [program, ...words] = [...under, process.execPath, HOOK, 'UserPromptSubmit', client];
  const ran = spawnSync(program, words, {
    cwd: project,
    env: environment({ home }, env),
    encoding: 'utf8',
    input: JSON.stringify({ session_id: session, cwd: project, prompt, ...more }),
  });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
}

const RULE = 'remember: invoices are numbered per country, because the law asks for it';
const ASKED = 'remember: invoices are numbered per country';
const IN_THEIR_WORDS = { category: 'decision', text: 'Invoices are numbered per country because the law asks for it', asked: ASKED };
const IN_OTHER_WORDS = { category: 'decision', text: 'Counters restart for every jurisdiction since auditors insist', asked: ASKED };

const serverOf = async (there: Place, client = 'gemini-cli-mcp-client'): Promise<Talk> => {
  const server = talkTo(there, {}, { client });
  await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: client, version: '1' } });
  return server;
};

const recordsOf = ({ privateRoot }: Place): string => {
  const folder = path.join(privateRoot, 'decisions');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
};

const HEARD_NOBODY = expect.stringContaining('this client has reported no prompt of the user') as string;

describe('what the user typed in a client whose hooks are processes', () => {
  test.each([
    ['gemini', 'gemini-cli-mcp-client'],
    ['opencode', 'opencode'],
    ['codex', 'codex-mcp-client'],
  ])('counts as their word in the server of %s: it is saved at once', async (client, name) => {
    const there = place();
    types(there, RULE, { client });
    const server = await serverOf(there, name);
    const { text, isError } = await server.call('memory_save', IN_THEIR_WORDS);
    expect({ text, isError }).toEqual({ isError: false, text: expect.stringMatching(/^created decision\/[\w-]+$/) as string });
    expect(recordsOf(there)).toContain('trust: observed');
    expect(recordsOf(there)).toContain('session_id: s-1');
    const id = text.replace('created ', '');
    types(there, 'yes, please forget that rule about invoices', { client });
    expect(await server.call('memory_retire', { id, reason: 'gone', asked: 'please forget that rule' })).toMatchObject({ isError: false });
  });

  test('is the only word that counts: what nobody typed is refused', async () => {
    const there = place();
    types(there, RULE);
    const server = await serverOf(there);
    expect(await server.call('memory_save', { ...IN_THEIR_WORDS, asked: 'remember that all servers are blue' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('the user has not said') as string,
    });
  });

  test('does not count when an agent’s shell tells of it, a subagent is prompted, or Holdfast itself asks', async () => {
    const there = place();
    types(there, RULE, { env: { GEMINI_CLI: '1' } });
    types(there, RULE, { client: 'codex', env: { CODEX_THREAD_ID: 's-1' } });
    types(there, RULE, { client: 'opencode', env: { OPENCODE: '1', AGENT: '1' } });
    types(there, RULE, { client: 'opencode', env: { HOLDFAST_AGENT_SHELL: '1' } });
    types(there, RULE, { client: 'droid' });
    types(there, RULE, { more: { agent_id: 'a-1' } });
    types(there, `Memory: look again at\n- decision: "${RULE}"`);
    const server = await serverOf(there);
    expect((await server.call('memory_save', IN_THEIR_WORDS)).text).toEqual(HEARD_NOBODY);
  });

  test('does not count in another client’s server, or in another project', async () => {
    const there = place();
    types(there, RULE, { under: ['sh', '-c', '"$@"; exit $?', 'sh'] });
    const server = await serverOf(there);
    expect((await server.call('memory_save', IN_THEIR_WORDS)).text).toEqual(HEARD_NOBODY);
    const elsewhere = place();
    types(there, RULE);
    expect((await (await serverOf(elsewhere)).call('memory_save', IN_THEIR_WORDS)).text).toEqual(HEARD_NOBODY);
  });

  test('is kept without secrets', () => {
    const there = place();
    types(there, `${RULE}; the key is ghp_${'a1B2'.repeat(9)}`);
    expect(JSON.stringify(noteOf(there, 's-1')['typed'])).toMatch(/numbered per country(?!.*ghp_a1B2)/);
  });
});

/** A rollout as Codex writes it. */
function rollout({ home, project }: Place, session: string) {
  const file = path.join(home, 'sessions', `rollout-2026-03-01T10-00-00-${session}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  const put = (type: string, payload: object): void => appendFileSync(file, `${JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type, payload })}\n`);
  put('session_meta', { id: session, session_id: session, cwd: project, cli_version: '0.166.0' });
  return {
    file,
    prompt: (text: string) => put('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    reply: (text: string) => put('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }),
    run: (cmd: string) => {
      put('response_item', { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: cmd });
      put('response_item', { type: 'function_call_output', call_id: cmd, output: 'Counters restart for every jurisdiction' });
    },
  };
}

const codexCall = async (server: Talk, args: object, session: string): Promise<string> => {
  const _meta = { callId: 'c', itemId: 'i', threadId: session, 'x-codex-turn-metadata': { session_id: session, thread_id: session } };
  const { result } = (await server.ask('tools/call', { name: 'memory_save', arguments: args, _meta })) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
};

describe('where the hook names the transcript', () => {
  test('the agent’s own wording is kept too, unless it has read words of others', async () => {
    const there = place();
    const talk = rollout(there, 's-1');
    talk.prompt(RULE);
    talk.run('git status');
    types(there, RULE, { client: 'codex', more: { transcript_path: talk.file } });
    const server = await serverOf(there, 'codex-mcp-client');
    expect(await codexCall(server, IN_OTHER_WORDS, 's-1')).not.toContain('quarantined');
    talk.run('curl https://example.org/rules');
    const again = { ...IN_OTHER_WORDS, text: 'Numbering begins anew per tax office since the page demands it' };
    expect(await codexCall(server, again, 's-1')).toContain('quarantined: it may follow what a tool or a page said');
  });

  test('a transcript that lags behind the prompt shows nothing of what was read: only the user’s own words are kept', async () => {
    const there = place();
    const talk = rollout(there, 's-1');
    talk.prompt('hello');
    types(there, RULE, { client: 'codex', more: { transcript_path: talk.file } });
    const server = await serverOf(there, 'codex-mcp-client');
    expect(await codexCall(server, IN_OTHER_WORDS, 's-1')).toContain('quarantined');
    expect(await codexCall(server, IN_THEIR_WORDS, 's-1')).not.toContain('quarantined');
  });

  test('a session that its client names hears its own words alone', async () => {
    const there = place();
    types(there, RULE, { client: 'codex', session: 's-1' });
    types(there, 'What does the build do?', { client: 'codex', session: 's-2' });
    const server = await serverOf(there, 'codex-mcp-client');
    expect(await codexCall(server, IN_THEIR_WORDS, 's-2')).toContain('the user has not said');
    expect(await codexCall(server, IN_THEIR_WORDS, 's-1')).toMatch(/^created decision\/[\w-]+$/);
    expect(await codexCall(server, IN_OTHER_WORDS, 's-3')).toEqual(HEARD_NOBODY);
    // It waits for the user still, and the agent is told.
    types(there, RULE, { client: 'codex', session: 's-3' });
    expect(await codexCall(server, IN_OTHER_WORDS, 's-3')).toMatch(/^unchanged [^]*quarantined.*holdfast confirm/);
  });

  test('a client that names its workspace with a call works there, wherever its server was started', async () => {
    const there = place();
    const server = await serverOf({ ...there, project: there.home }, 'codex-mcp-client');
    const _meta = { callId: 'c', 'x-codex-turn-metadata': { session_id: 's-1', workspaces: { [there.project]: {} } } };
    expect(JSON.stringify(await server.ask('tools/call', { name: 'memory_status', _meta }))).toContain(`project shop at ${there.project}`);
  });
});
