import { isObject } from '../../core/value.ts';
import { TaskQueue } from '../../core/task-queue.ts';
import { McpConnection, type McpOffer } from './connection.ts';
import { CODES, failing, type Id } from './message.ts';
import { isStateless, isSupportedVersion, metaOf, metaVersion, STATELESS } from './protocol.ts';

/** A message that came by HTTP, from a caller whose token was checked. */
export interface McpHttpMessage {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  /** The caller that the session belongs to; no other can use it. */
  readonly owner: string;
  /** The tools and prompts for this caller. */
  readonly offer: McpOffer;
}

/** One message is sent as JSON, several as server-sent events. */
export interface McpHttpReply {
  readonly status: number;
  readonly messages?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
}

interface OpenSession {
  readonly connection: McpConnection;
  readonly owner: string;
  at: number;
}

const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const IDLE_MS = 60 * 60_000;
const MOST_SESSIONS = 1_000;
/** A token that opens more sessions loses its own oldest, not those of others. */
const MOST_SESSIONS_PER_TOKEN = 50;
/** Limit of a batch, in the revision that allows batches. */
const MOST_MESSAGES = 50;
/** The status for a session that is gone; the client then initializes again. */
const SESSION_GONE = 404;

const refusal = (status: number, code: number, message: string, id: Id | null = null): McpHttpReply => ({ status, messages: [failing(id, code, message)] });

/** The text of a header, which may be in Base64 if it is not plain ASCII. */
function headerText(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

/**
 * The streamable HTTP transport. A request of the stateless revision needs no session, and its headers must agree with its body. Older revisions get a
 * session at `initialize`, so that a later message can cancel a call; it ends when it is deleted, or an hour after its last message.
 */
export class McpHttp {
  readonly #sessions = new Map<string, OpenSession>();
  readonly #now: () => number;
  readonly #newId: () => string;

  constructor(now: () => number, newId: () => string) {
    this.#now = now;
    this.#newId = newId;
  }

  async answer(message: McpHttpMessage): Promise<McpHttpReply> {
    if (message.method === 'DELETE') return this.#end(message);
    // The server sends no messages of its own, so it opens no stream.
    if (message.method !== 'POST') return { status: 405, headers: { allow: 'POST, DELETE' } };
    let value: unknown;
    try {
      value = JSON.parse(message.text);
    } catch {
      return refusal(400, CODES.parse, 'not JSON');
    }
    if (Array.isArray(value) && value.length > MOST_MESSAGES) return refusal(413, CODES.invalid, `send at most ${MOST_MESSAGES} messages at once`);
    const params = isObject(value) && isObject(value['params']) ? value['params'] : {};
    const version = message.header('mcp-protocol-version');
    if (isObject(value) && 'id' in value && (isStateless(String(value['method']), params) || version === STATELESS))
      return this.#answerStateless(message, value, params);
    if (version !== undefined && !isSupportedVersion(version)) return refusal(400, UNSUPPORTED_VERSION, `the protocol version ${version} is not supported`);
    return this.#answerInSession(message, value);
  }

  async #answerStateless(message: McpHttpMessage, value: Readonly<Record<string, unknown>>, params: Readonly<Record<string, unknown>>): Promise<McpHttpReply> {
    const { id, method } = value;
    const fault = headerFault(message.header, method, params);
    if (fault !== undefined) return refusal(400, HEADER_MISMATCH, fault, typeof id === 'string' || typeof id === 'number' ? id : null);
    const messages = await messagesFrom(connectionOf(message.offer), value);
    const [code] = messages.flatMap((sent) => ('error' in sent && isObject(sent.error) ? [sent.error['code']] : []));
    return { status: code === CODES.unknown ? 404 : code === UNSUPPORTED_VERSION || code === CODES.invalid ? 400 : 200, messages };
  }

  async #answerInSession(message: McpHttpMessage, value: unknown): Promise<McpHttpReply> {
    const isStart = isObject(value) && value['method'] === 'initialize';
    if (isStart) {
      const id = this.#open(message);
      return {
        status: 200,
        messages: await messagesFrom(this.#sessions.get(id)?.connection ?? connectionOf(message.offer), value),
        headers: { 'mcp-session-id': id },
      };
    }
    const sessionId = message.header('mcp-session-id');
    if (sessionId === undefined) return refusal(400, CODES.invalid, 'Mcp-Session-Id is missing: begin with initialize');
    const session = this.#session(sessionId, message.owner);
    if (!session) return refusal(SESSION_GONE, CODES.invalid, 'there is no such session: begin again with initialize');
    const messages = await messagesFrom(session.connection, value);
    return messages.length === 0 ? { status: 202 } : { status: 200, messages };
  }

  #open({ owner, offer }: McpHttpMessage): string {
    for (const [id, { at }] of this.#sessions) if (this.#now() - at > IDLE_MS || this.#sessions.size >= MOST_SESSIONS) this.#sessions.delete(id);
    const own = [...this.#sessions].filter(([, session]) => session.owner === owner);
    for (const [id] of own.slice(0, Math.max(0, own.length + 1 - MOST_SESSIONS_PER_TOKEN))) this.#sessions.delete(id);
    const id = this.#newId();
    this.#sessions.set(id, { connection: connectionOf(offer), owner, at: this.#now() });
    return id;
  }

  #session(id: string, owner: string): OpenSession | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.owner !== owner || this.#now() - session.at > IDLE_MS) return undefined;
    session.at = this.#now();
    // Moved to the end, so that the least recently used session makes room first.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  #end({ header, owner }: McpHttpMessage): McpHttpReply {
    const id = header('mcp-session-id') ?? '';
    if (!this.#session(id, owner)) return { status: SESSION_GONE };
    this.#sessions.delete(id);
    return { status: 204 };
  }
}

function connectionOf(offer: McpOffer): McpConnection {
  const turns = new TaskQueue();
  return new McpConnection(offer, { send: () => undefined, inTurn: (work) => turns.run(work) });
}

async function messagesFrom(connection: McpConnection, value: unknown): Promise<readonly object[]> {
  const messages: object[] = [];
  await connection.handle(value, (message) => void messages.push(message));
  return messages;
}

const NAME_FIELDS: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** Says which header of a stateless request differs from its body. */
function headerFault(header: McpHttpMessage['header'], method: unknown, params: Readonly<Record<string, unknown>>): string | undefined {
  if (header('mcp-protocol-version') !== metaVersion(metaOf(params))) return 'MCP-Protocol-Version is not the version in _meta';
  if (header('mcp-method') !== method) return 'Mcp-Method is not the method of the request';
  const field = typeof method === 'string' ? NAME_FIELDS[method] : undefined;
  if (field !== undefined && headerText(header('mcp-name')) !== params[field]) return `Mcp-Name is not the ${field} of the request`;
  return undefined;
}
