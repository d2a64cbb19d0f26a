import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { PATIENCE } from '../../patience.ts';

/** A request as the server got it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly delayMs?: number;
  /** Ends the connection before anything or in the middle of the body, or never ends the body. */
  readonly cut?: 'before' | 'middle' | 'never';
}

export interface Loopback {
  readonly url: string;
  readonly seen: Seen[];
}

/** A real server on 127.0.0.1, gone when the test is over. `reply` is asked for every request, with how many came before it. */
export async function loopback(reply: (seen: Seen, before: number) => Reply | Promise<Reply>): Promise<Loopback> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Seen['body'];
      const one: Seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      void Promise.resolve(reply(one, seen.length - 1)).then(async ({ status = 200, headers = {}, json, text: words, delayMs = 0, cut }) => {
        await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
        if (cut === 'before') return request.socket.destroy();
        const content = words ?? JSON.stringify(json ?? {});
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        if (cut === undefined) return response.end(content);
        response.write(content.slice(0, content.length / 2));
        if (cut === 'middle') setTimeout(() => request.socket.destroy(), 20);
        return undefined;
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Short pauses between tries, and a time limit that no answer of a busy machine exceeds. */
export const retryPolicy = { timeoutMs: PATIENCE.timeout, limitBytes: 100_000, firstPauseMs: 5 };

export const KEY = 'sk-test-4f8b1c9d2e7a6053f1';
