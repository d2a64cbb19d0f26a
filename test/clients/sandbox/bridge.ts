import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

type Message = Readonly<Record<string, unknown>>;

export interface Bridge {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The official suite speaks HTTP only; this hands each message on to a server on stdio and back, unchanged but for ids, which two clients may both use.
 * A handshake starts a server of its own; requests without a session share one.
 */
export async function bridgeToStdio(command: readonly string[], options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<Bridge> {
  const servers = new Map<string, StdioServer>();
  const serverOf = (session: string): StdioServer => {
    const there = servers.get(session) ?? new StdioServer(command, options);
    servers.set(session, there);
    return there;
  };
  const http: Server = createServer((request, response) => {
    void relay(request, response).catch((cause: unknown) => response.writeHead(500).end(String(cause)));
  });
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    const named = request.headers['mcp-session-id'];
    const session = message['method'] === 'initialize' ? `session-${servers.size + 1}` : typeof named === 'string' ? named : 'stateless';
    const server = serverOf(session);
    if (!('method' in message) || !('id' in message)) {
      server.send(message);
      return void response.writeHead(202).end();
    }
    const headers = session === 'stateless' ? {} : { 'mcp-session-id': session };
    let begun = false;
    server.ask(message, (answer, isLast) => {
      if (isLast && !begun) return void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
      if (!begun) response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      begun = true;
      response.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
      if (isLast) response.end();
    });
  }
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
      await Promise.all([...servers.values()].map((server) => server.end()));
    },
  };
}

type Deliver = (message: Message, isLast: boolean) => void;

class StdioServer {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #waiting = new Map<number, { readonly id: unknown; readonly deliver: Deliver }>();
  #last = 0;

  constructor([program = '', ...args]: readonly string[], options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = new Promise((ended) => this.#child.on('exit', ended));
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => this.#take(JSON.parse(line) as Message));
  }

  send(message: Message): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  ask(message: Message, deliver: Deliver): void {
    this.#waiting.set(++this.#last, { id: message['id'], deliver });
    this.send({ ...message, id: this.#last });
  }

  /** A notice goes to the newest request: the server answers one after the other. */
  #take(message: Message): void {
    const own = this.#waiting.get(message['id'] as number);
    if ('method' in message || !own) {
      [...this.#waiting.values()].at(-1)?.deliver(message, false);
      return;
    }
    this.#waiting.delete(message['id'] as number);
    own.deliver({ ...message, id: own.id }, true);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }
}
