import { isObject } from '../../core/value.ts';

/** Metadata that a client adds to its model's calls. */
const MODEL_MARKS = ['claudecode/toolUseId', 'callId', 'itemId', 'x-codex-turn-metadata', 'agent-session-id'];
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Clients whose hooks call tools, and the metadata by which they mark such calls. */
const HOOK_CLIENTS: Readonly<Record<string, string | undefined>> = { 'claude-code': undefined, 'codex-mcp-client': 'threadId' };

/** The name by which a client introduces itself, at the start or with a request. */
export function clientName(params: Readonly<Record<string, unknown>>): string | undefined {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const info = params['clientInfo'] ?? meta[CLIENT_INFO];
  return isObject(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
}

/** Whether a hook of the client makes this call. An unmarked call counts as the model's, which could forge prompts. */
export function isHookCall(client: string | undefined, meta: unknown): boolean {
  if (client === undefined || !Object.hasOwn(HOOK_CLIENTS, client)) return false;
  const marks = isObject(meta) ? meta : {};
  const needed = HOOK_CLIENTS[client];
  return !MODEL_MARKS.some((mark) => mark in marks) && (needed === undefined || needed in marks);
}
