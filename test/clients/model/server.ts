import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { messagesText, plainAnswer, streamedAnswer, systemText, turnsOf, type MessagesBody } from './anthropic.ts';
import { chooseStep, type Scene, type Step } from './script.ts';

/** One question that the client really asked, and how it was answered. */
export interface Asked {
  readonly body: MessagesBody;
  /** All messages as one text: what the model was told, apart from the system prompt. */
  readonly text: string;
  readonly system: string;
  readonly answered: Step;
  /** When it was asked, in milliseconds. */
  readonly at: number;
}

export interface Model {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** The questions of conversations, without those for a title and the like. */
  readonly talk: () => readonly Asked[];
  /** Paths that the client asked for and that are not part of the protocol. */
  readonly strange: readonly string[];
  /** What the model does from now on; scenes of earlier calls are forgotten. */
  readonly play: (scenes: readonly Scene[]) => void;
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, { 'content-type': type, 'request-id': 'req_scripted' });
  response.end(text);
};

const JSON_TYPE = 'application/json';

const fault = (type: string, message: string): string => JSON.stringify({ type: 'error', error: { type, message } });

/** A scripted model on loopback that keeps every question. */
export async function startModel(): Promise<Model> {
  let scenes: readonly Scene[] = [];
  const asked: Asked[] = [];
  const strange: string[] = [];

  const answer = async (response: ServerResponse, body: MessagesBody): Promise<void> => {
    const step = chooseStep(turnsOf(body), scenes);
    asked.push({ body, text: messagesText(body), system: systemText(body), answered: step, at: Date.now() });
    if (step.delayMs !== undefined) await sleep(step.delayMs);
    if (step.status !== undefined)
      return send(response, step.status, JSON_TYPE, fault(step.status === 400 ? 'invalid_request_error' : 'api_error', step.refusal ?? 'scripted error'));
    return body.stream === true
      ? send(response, 200, 'text/event-stream', streamedAnswer(body, step))
      : send(response, 200, JSON_TYPE, plainAnswer(body, step));
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const text = await bodyOf(request);
    if (request.method === 'POST' && pathname === '/v1/messages') return answer(response, JSON.parse(text) as MessagesBody);
    if (pathname === '/v1/messages/count_tokens') return send(response, 200, JSON_TYPE, JSON.stringify({ input_tokens: Math.ceil(text.length / 4) }));
    if (request.method === 'HEAD') return send(response, 200, JSON_TYPE, '');
    strange.push(`${request.method ?? ''} ${pathname}`);
    return send(response, 404, JSON_TYPE, fault('not_found_error', 'not part of the script'));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => send(response, 500, JSON_TYPE, fault('api_error', String(error))));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    talk: () => asked.filter(({ body }) => (body.tools?.length ?? 0) > 0),
    strange,
    play: (next) => {
      scenes = next;
    },
    forget: () => {
      asked.length = 0;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
