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

/** `messages` go out as JSON where there is one, as events where there are several. */
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
/** Sessions of one token. A token that opens more loses its own oldest, not those of others. */
const MOST_OF_ONE = 50;
/** Messages in one request of the revision that allows several. */
const MOST_AT_ONCE = 50;
/** The client has to begin again where a session is gone. */
const GONE = 404;

const refusal = (status: number, code: number, message: string, id: Id | null = null): McpHttpReply => ({ status, messages: [failing(id, code, message)] });

/** A header may hold what is no plain text in Base64. */
function headerText(value: string | undefined): string | undefined {
  const packed = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '')?.[1];
  return packed === undefined ? value : Buffer.from(packed, 'base64').toString('utf8');
}

/**
 * The streamable HTTP transport. A request of the stateless revision stands alone, and its headers must say what its body says. Older revisions get a session at
 * `initialize`, so that a call can be cancelled by another message; it ends when it is deleted, or an hour after its last message.
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
    // There is nothing to tell a client unasked, so there is no stream to open.
    if (message.method !== 'POST') return { status: 405, headers: { allow: 'POST, DELETE' } };
    let value: unknown;
    try {
      value = JSON.parse(message.text);
    } catch {
      return refusal(400, CODES.parse, 'not JSON');
    }
    if (Array.isArray(value) && value.length > MOST_AT_ONCE) return refusal(413, CODES.invalid, `send at most ${MOST_AT_ONCE} messages at once`);
    const params = isObject(value) && isObject(value['params']) ? value['params'] : {};
    const version = message.header('mcp-protocol-version');
    if (isObject(value) && 'id' in value && (isStateless(String(value['method']), params) || version === STATELESS))
      return this.#answerAlone(message, value, params);
    if (version !== undefined && !isSupportedVersion(version)) return refusal(400, UNSUPPORTED_VERSION, `the protocol version ${version} is not supported`);
    return this.#answerInSession(message, value);
  }

  async #answerAlone(message: McpHttpMessage, value: Readonly<Record<string, unknown>>, params: Readonly<Record<string, unknown>>): Promise<McpHttpReply> {
    const { id, method } = value;
    const wrong = mismatch(message.header, method, params);
    if (wrong !== undefined) return refusal(400, HEADER_MISMATCH, wrong, typeof id === 'string' || typeof id === 'number' ? id : null);
    const messages = await taken(connectionOf(message.offer), value);
    const [code] = messages.flatMap((sent) => ('error' in sent && isObject(sent.error) ? [sent.error['code']] : []));
    return { status: code === CODES.unknown ? 404 : code === UNSUPPORTED_VERSION || code === CODES.invalid ? 400 : 200, messages };
  }

  async #answerInSession(message: McpHttpMessage, value: unknown): Promise<McpHttpReply> {
    const isStart = isObject(value) && value['method'] === 'initialize';
    if (isStart) {
      const id = this.#open(message);
      return {
        status: 200,
        messages: await taken(this.#sessions.get(id)?.connection ?? connectionOf(message.offer), value),
        headers: { 'mcp-session-id': id },
      };
    }
    const named = message.header('mcp-session-id');
    if (named === undefined) return refusal(400, CODES.invalid, 'Mcp-Session-Id is missing: begin with initialize');
    const session = this.#session(named, message.owner);
    if (!session) return refusal(GONE, CODES.invalid, 'there is no such session: begin again with initialize');
    const messages = await taken(session.connection, value);
    return messages.length === 0 ? { status: 202 } : { status: 200, messages };
  }

  #open({ owner, offer }: McpHttpMessage): string {
    for (const [id, { at }] of this.#sessions) if (this.#now() - at > IDLE_MS || this.#sessions.size >= MOST_SESSIONS) this.#sessions.delete(id);
    const own = [...this.#sessions].filter(([, session]) => session.owner === owner);
    for (const [id] of own.slice(0, Math.max(0, own.length + 1 - MOST_OF_ONE))) this.#sessions.delete(id);
    const id = this.#newId();
    this.#sessions.set(id, { connection: connectionOf(offer), owner, at: this.#now() });
    return id;
  }

  #session(id: string, owner: string): OpenSession | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.owner !== owner || this.#now() - session.at > IDLE_MS) return undefined;
    session.at = this.#now();
    // The last one used is the last to make room.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  #end({ header, owner }: McpHttpMessage): McpHttpReply {
    const id = header('mcp-session-id') ?? '';
    if (!this.#session(id, owner)) return { status: GONE };
    this.#sessions.delete(id);
    return { status: 204 };
  }
}

function connectionOf(offer: McpOffer): McpConnection {
  const turns = new TaskQueue();
  return new McpConnection(offer, { send: () => undefined, inTurn: (work) => turns.run(work) });
}

async function taken(connection: McpConnection, value: unknown): Promise<readonly object[]> {
  const messages: object[] = [];
  await connection.handle(value, (message) => void messages.push(message));
  return messages;
}

const NAMED_BY: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** The header of a stateless request that differs from its body. */
function mismatch(header: McpHttpMessage['header'], method: unknown, params: Readonly<Record<string, unknown>>): string | undefined {
  if (header('mcp-protocol-version') !== metaVersion(metaOf(params))) return 'MCP-Protocol-Version is not the version in _meta';
  if (header('mcp-method') !== method) return 'Mcp-Method is not the method of the request';
  const field = typeof method === 'string' ? NAMED_BY[method] : undefined;
  if (field !== undefined && headerText(header('mcp-name')) !== params[field]) return `Mcp-Name is not the ${field} of the request`;
  return undefined;
}
