import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../scratch.ts';
import { PROGRAM, runProgram } from '../cli/program.ts';
import { environment, place, type Place, talkTo } from './talk.ts';

const hook = (there: Place, client: string): void => {
  const input = JSON.stringify({ session_id: 's', cwd: there.project, source: 'startup' });
  const { status } = spawnSync(process.execPath, [PROGRAM, 'hook', 'SessionStart', '--client', client], { env: environment(there), input });
  expect(status).toBe(0);
};

/** A client that starts the server, and names its folder if it was started elsewhere. */
async function connect(there: Place, client: string, folder?: string): Promise<void> {
  const server = talkTo({ ...there, project: folder === undefined ? there.project : scratch() });
  const capabilities = folder === undefined ? {} : { roots: {} };
  await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: client, version: '1' } });
  if (folder !== undefined) {
    server.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    const { id } = await server.next();
    server.send(JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [{ uri: `file://${folder}` }] } }));
  }
  await server.ask('ping');
  server.child.stdin?.end();
  await server.ended;
}

const run = (there: Place, ...words: readonly string[]): string => runProgram(words, { cwd: there.project, env: environment(there) }).out;
const clientsOf = (there: Place): readonly { readonly client: string }[] =>
  (JSON.parse(run(there, 'status', '--json')) as { clients: { client: string }[] }).clients;

const A_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;

test('status lists each client whose hook ran or that connected to the server in this project, with when', async () => {
  const there = place();
  const other = { ...there, project: path.join(path.dirname(there.project), 'other') };
  mkdirSync(other.project);
  run(other, 'config', 'set', 'on', 'true');
  hook(there, 'codex');
  await connect(there, 'codex-mcp-client');
  await connect(there, 'goose-cli');
  await connect(there, '@cline/core');
  await connect(there, 'factory-cli');
  await connect(there, 'Some Editor', there.project);
  hook(other, 'qwen');
  const clients = clientsOf(there).toSorted((a, b) => (a.client < b.client ? -1 : 1));
  expect(clients).toEqual([
    { client: 'Some Editor', sessions: 0, server: A_TIME },
    { client: 'cline', sessions: 0, server: A_TIME },
    { client: 'codex', sessions: 0, hooks: A_TIME, server: A_TIME },
    { client: 'droid', sessions: 0, server: A_TIME },
    { client: 'goose', sessions: 0, server: A_TIME },
  ]);
  expect(clientsOf(other)).toMatchObject([{ client: 'qwen' }]);
  expect(run(there, 'status')).toMatch(/^ {2}clients {2}.*codex \(hooks \d{4}-\d\d-\d\d \d\d:\d\d, server \d{4}-\d\d-\d\d \d\d:\d\d\)/m);
});

test('where memory is off, a client leaves no trace', async () => {
  const there = place({ on: false });
  hook(there, 'codex');
  await connect(there, 'goose-cli');
  expect(existsSync(path.join(there.home, 'holdfast', 'projects'))).toBe(false);
  expect(clientsOf(there)).toEqual([]);
});
