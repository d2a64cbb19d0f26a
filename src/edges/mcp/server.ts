import { clientName, isHookCall } from './caller.ts';
import { CODES, failing, readMessage, type RpcRequest, type Response } from './message.ts';
import { isObject } from '../../core/value.ts';
import type { Tool } from './tool.ts';

/** Newest first. A client that asks for an unknown version is offered the newest. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The client, once it has introduced itself. */
  client?: string;
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
    return answer && JSON.stringify(answer);
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
      return result({ tools: server.tools.map(({ run: _run, ...about }) => about) });
    case 'tools/call': {
      const tool = server.tools.find(({ name }) => name === params['name']);
      if (!tool) return failing(id, CODES.params, `there is no tool ${JSON.stringify(params['name'])}`);
      const { arguments: args, _meta: meta } = params;
      return result(await called(server, tool, isObject(args) ? args : {}, isHookCall(server.client ?? clientName(params), meta)));
    }
    default:
      return failing(id, CODES.unknown, `${method} is not offered`);
  }
}

const welcome = ({ name, version, instructions }: McpServer, asked: unknown): object => ({
  protocolVersion: typeof asked === 'string' && VERSIONS.includes(asked) ? asked : VERSIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name, title: 'Holdfast memory', version },
  instructions,
});

/** An error inside a tool is a result that the model reads, not a protocol error. */
async function called(server: McpServer, tool: Tool, args: Readonly<Record<string, unknown>>, byHook: boolean): Promise<object> {
  try {
    const { text, isError } = await tool.run(args, byHook);
    return { content: text === '' ? [] : [{ type: 'text', text }], ...(isError === true && { isError }) };
  } catch (cause) {
    return { content: [{ type: 'text', text: server.explain(cause) }], isError: true };
  }
}
