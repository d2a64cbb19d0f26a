import { isObject } from '../../core/value.ts';
import { CODES, failing, readMessage, type RpcRequest, type Response } from './message.ts';
import type { Tool } from './tool.ts';

/** Metadata that a client adds to its model's calls. */
const MODEL_MARKS = ['claudecode/toolUseId', 'callId', 'itemId', 'x-codex-turn-metadata', 'agent-session-id'];
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Clients whose hooks call tools, and the metadata by which they mark such calls. */
const HOOK_CLIENTS: Readonly<Record<string, string | undefined>> = { 'claude-code': undefined, 'codex-mcp-client': 'threadId' };

/** The name by which a client introduces itself, at the start or with a request. */
function clientName(params: Readonly<Record<string, unknown>>): string | undefined {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const info = params['clientInfo'] ?? meta[CLIENT_INFO];
  return isObject(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
}

/** Whether a hook of the client makes this call. An unmarked call counts as the model's, which could forge prompts. */
function isHookCall(client: string | undefined, meta: unknown): boolean {
  if (client === undefined || !Object.hasOwn(HOOK_CLIENTS, client)) return false;
  const marks = isObject(meta) ? meta : {};
  const needed = HOOK_CLIENTS[client];
  return !MODEL_MARKS.some((mark) => mark in marks) && (needed === undefined || needed in marks);
}

/** Newest first. A client that asks for an unknown version is offered the newest. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The tool that only the client's hooks call. */
  readonly hookTool?: Tool;
  /** Whether memory is on here; where it is off, a client with hooks is told of no tools and no instructions. */
  readonly isOn?: () => boolean;
  /** The tool that the end of a turn asks for, as long as it does; the client loads it at once. */
  readonly askedTool?: () => string | undefined;
  /** The client, once it has introduced itself. */
  client?: string;
  /** The client was told of no tools, because memory was off. */
  listedNothing?: boolean;
  /** Message for an exception; a general sentence for an unexpected one. */
  explain(cause: unknown): string;
}

/** Answers one line of input: nothing for a notification, a list for a batch. */
export async function answerLine(server: McpServer, line: string): Promise<string | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return JSON.stringify(failing(null, CODES.parse, 'not JSON'));
  }
  if (!Array.isArray(value)) {
    const answer = await answerOne(server, value);
    return answer && [JSON.stringify(answer), ...switchedOn(server)].join('\n');
  }
  if (value.length === 0) return JSON.stringify(failing(null, CODES.invalid, 'an empty batch'));
  const answers: Response[] = [];
  for (const one of value) {
    const answer = await answerOne(server, one);
    if (answer) answers.push(answer);
  }
  return answers.length === 0 ? undefined : JSON.stringify(answers);
}

async function answerOne(server: McpServer, value: unknown): Promise<Response | undefined> {
  const incoming = readMessage(value);
  if ('fault' in incoming) return incoming.fault;
  if ('notice' in incoming) return undefined;
  return answerRequest(server, incoming.request);
}

async function answerRequest(server: McpServer, { id, method, params }: RpcRequest): Promise<Response> {
  const result = (value: object): Response => ({ jsonrpc: '2.0', id, result: value });
  switch (method) {
    case 'initialize':
      server.client = clientName(params) ?? '';
      return result(welcome(server, params['protocolVersion']));
    case 'ping':
      return result({});
    case 'tools/list':
      return result({ tools: listed(server) });
    case 'tools/call': {
      const tool = allTools(server).find(({ name }) => name === params['name']);
      if (!tool) return failing(id, CODES.params, `there is no tool ${JSON.stringify(params['name'])}`);
      const { arguments: args, _meta: meta } = params;
      return result(await called(server, tool, isObject(args) ? args : {}, isHookCall(server.client ?? clientName(params), meta)));
    }
    default:
      return failing(id, CODES.unknown, `${method} is not offered`);
  }
}

/** Its hooks call tools that are not listed, so that one that no model should call is not, and with memory off none is. */
const LISTS_LESS = 'claude-code';
const isQuiet = (server: McpServer): boolean => server.client === LISTS_LESS && server.isOn?.() === false;

const welcome = (server: McpServer, asked: unknown): object => ({
  protocolVersion: typeof asked === 'string' && VERSIONS.includes(asked) ? asked : VERSIONS[0],
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: server.name, title: 'Holdfast memory', version: server.version },
  ...(!isQuiet(server) && { instructions: server.instructions }),
});

const allTools = ({ tools, hookTool }: McpServer): readonly Tool[] => (hookTool ? [...tools, hookTool] : tools);

/** The tools as the client lists them. */
function listed(server: McpServer): readonly object[] {
  server.listedNothing = isQuiet(server);
  if (server.listedNothing) return [];
  const asked = server.askedTool?.();
  const tools = server.client === LISTS_LESS ? server.tools : allTools(server);
  return tools.map(({ run: _run, ...about }) => ({ ...about, ...(about.name === asked && { _meta: { 'anthropic/alwaysLoad': true } }) }));
}

/** Tells a client that was told of no tools to ask again, once memory is on. */
function switchedOn(server: McpServer): readonly string[] {
  if (server.listedNothing !== true || isQuiet(server)) return [];
  server.listedNothing = false;
  return [JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })];
}

/** An error inside a tool is a result that the model reads, not a protocol error. */
async function called(server: McpServer, tool: Tool, args: Readonly<Record<string, unknown>>, byHook: boolean): Promise<object> {
  try {
    const { text, isError } = await tool.run(args, byHook);
    return { content: text === '' ? [] : [{ type: 'text', text }], ...(isError === true && { isError }) };
  } catch (cause) {
    return { content: [{ type: 'text', text: server.explain(cause) }], isError: true };
  }
}
