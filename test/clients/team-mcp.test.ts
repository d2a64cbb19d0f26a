import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasPostgres } from '../postgres/cluster.ts';
import { offeredRecord } from '../team/records.ts';
import { serveForTest } from '../team/served.ts';

interface OfficialClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: object): Promise<{ readonly content: readonly { readonly text: string }[]; readonly isError?: boolean }>;
}

const FOLDER = process.env['HOLDFAST_MCP_CLIENTS'] ?? '';

const CLIENTS = [
  {
    name: 'SDK 1.32.2',
    at: '@modelcontextprotocol/sdk/dist/esm/client/index.js',
    http: '@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js',
    options: {},
  },
  {
    name: 'client 2.4.0 in the stateless revision',
    at: '@modelcontextprotocol/client/dist/index.mjs',
    http: '@modelcontextprotocol/client/dist/index.mjs',
    options: { versionNegotiation: { mode: 'auto' } },
  },
];

const load = async (file: string): Promise<Record<string, never>> => (await import(pathToFileURL(path.join(FOLDER, file)).href)) as Record<string, never>;

describe.skipIf(!existsSync(FOLDER) || !hasPostgres).each(CLIENTS)('the official $name over streamable HTTP', ({ at, http, options }) => {
  test('signs in with a token, lists tools, searches, saves, and ends', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const token = await team.member(org, 'ada', 'writer');
    await team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord('Use SQLite for the heron cache')] });
    const Client = (await load(at))['Client'] as unknown as new (info: object, options: object) => OfficialClient;
    const Transport = (await load(http))['StreamableHTTPClientTransport'] as unknown as new (url: URL, options: object) => object;
    const connect = async (bearer: string): Promise<OfficialClient> => {
      const client = new Client({ name: 'official', version: '1' }, { capabilities: {}, ...options });
      await client.connect(new Transport(new URL('mcp/web', team.url), { requestInit: { headers: { authorization: `Bearer ${bearer}` } } }));
      onTestFinished(() => client.close());
      return client;
    };
    const client = await connect(token);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('memory_search');
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'heron cache' } });
    expect(found.content[0]?.text).toContain('Use SQLite for the heron cache');
    const saved = await client.callTool({ name: 'memory_save', arguments: { category: 'constraint', text: 'Never deploy on Fridays' } });
    expect(saved.content[0]?.text).toMatch(/^proposed constraint\/never-deploy-on-fridays \(proposal 1\)/);
    await expect(connect('hf_1_000000000000_00')).rejects.toThrow(/token|401|unauthorized/i);
    const methods = team.log.filter(({ route }) => route === '/mcp').map(({ status }) => status);
    expect(methods).toContain(200);
    expect(methods.filter((status) => status >= 500)).toEqual([]);
  });
});
