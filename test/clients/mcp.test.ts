import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../edges/cli/program.ts';
import { environment, place } from '../edges/mcp/talk.ts';
import { scratch } from '../scratch.ts';

/** The part of an official client that the tests use; its types are not installed with the project. */
interface OfficialClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  getServerCapabilities(): object;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: object): Promise<{ readonly content: readonly { readonly text: string }[]; readonly structuredContent?: object; readonly isError?: boolean }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readResource(which: object): Promise<{ readonly contents: readonly { readonly text: string }[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(which: object): Promise<object>;
  complete(what: object): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
  setRequestHandler(which: unknown, answer: () => object): void;
}

const FOLDER = process.env['HOLDFAST_MCP_CLIENTS'] ?? '';

const CLIENTS = [
  { name: 'SDK 1.0.0', at: 'oldest-sdk/dist/client/index.js', stdio: 'oldest-sdk/dist/client/stdio.js', types: 'oldest-sdk/dist/types.js', options: {} },
  {
    name: 'SDK 1.32.2',
    at: '@modelcontextprotocol/sdk/dist/esm/client/index.js',
    stdio: '@modelcontextprotocol/sdk/dist/esm/client/stdio.js',
    types: '@modelcontextprotocol/sdk/dist/esm/types.js',
    options: {},
  },
  {
    name: 'client 2.4.0 in the stateless revision',
    at: '@modelcontextprotocol/client/dist/index.mjs',
    stdio: '@modelcontextprotocol/client/dist/stdio.mjs',
    options: { versionNegotiation: { mode: 'auto' } },
  },
];

const load = async (file: string): Promise<Record<string, never>> => (await import(pathToFileURL(path.join(FOLDER, file)).href)) as Record<string, never>;

describe.skipIf(!existsSync(FOLDER)).each(CLIENTS)('the official $name', ({ at, stdio, types, options }) => {
  test('finds tools, resources, prompts and completions, and the project it names', async () => {
    const there = place();
    const Client = (await load(at))['Client'] as unknown as new (info: object, options: object) => OfficialClient;
    const Transport = (await load(stdio))['StdioClientTransport'] as unknown as new (options: object) => object;
    const client = new Client({ name: 'official', version: '1' }, { capabilities: types === undefined ? {} : { roots: {} }, ...options });
    if (types !== undefined) {
      const schema = (await load(types))['ListRootsRequestSchema'];
      client.setRequestHandler(schema, () => ({ roots: [{ uri: pathToFileURL(there.project).href }] }));
    }
    // The stateless revision asks no client for its folders.
    const cwd = types === undefined ? there.project : scratch();
    await client.connect(new Transport({ command: process.execPath, args: [PROGRAM, 'mcp'], env: environment(there), cwd }));
    onTestFinished(() => client.close());

    expect(Object.keys(client.getServerCapabilities()).toSorted()).toEqual(['completions', 'logging', 'prompts', 'resources', 'tools']);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('memory_search');
    const saved = await client.callTool({
      name: 'memory_save',
      arguments: { category: 'decision', text: 'Use SQLite because it needs no server', asked: 'remember to use SQLite' },
    });
    expect(saved.content[0]?.text).toMatch(/^created decision\/use-sqlite[^]*quarantined/);
    expect(saved.structuredContent).toMatchObject({ ids: [expect.stringMatching(/^decision\/use-sqlite/) as string] });
    const status = await client.callTool({ name: 'memory_status', arguments: {} });
    expect(status.content[0]?.text).toContain(`at ${there.project}`);
    expect(await client.callTool({ name: 'memory_get', arguments: { ids: ['none'] } })).toMatchObject({ isError: true });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memory://brief', 'memory://master', 'memory://index']);
    expect((await client.readResource({ uri: 'memory://index' })).contents[0]?.text).toContain('1 quarantined');
    await expect(client.readResource({ uri: 'memory://none' })).rejects.toThrow('there is no resource');
    expect((await client.listPrompts()).prompts).toHaveLength(5);
    expect(JSON.stringify(await client.getPrompt({ name: 'recall', arguments: { about: 'sqlite' } }))).toContain('Nothing is remembered');
    const ref = { type: 'ref/resource', uri: 'memory://records/{category}/{id}' };
    expect((await client.complete({ ref, argument: { name: 'category', value: 'pre' } })).completion.values).toEqual(['preference']);
  });
});
