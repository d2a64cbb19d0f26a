import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model on loopback that answers one sentence in the protocol it is asked in, and keeps every question. */
export interface PlainModel {
  readonly url: string;
  readonly asked: readonly string[];
  close(): void;
}

const ANSWER = 'I have noted it.';
const TOKENS = 10;

const events = (list: readonly object[]): string => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** OpenAI's Responses, as Codex asks. */
function responses(): string {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: ANSWER, annotations: [] }] };
  const usage = { input_tokens: TOKENS, output_tokens: TOKENS, total_tokens: 2 * TOKENS };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
  const named: readonly [string, object][] = [
    ['response.created', { response: { ...response, status: 'in_progress', output: [] } }],
    ['response.output_item.done', { output_index: 0, item }],
    ['response.completed', { response }],
  ];
  return named.map(([type, event]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`).join('');
}

/** OpenAI's Chat, as opencode asks. */
function chat(): string {
  const chunk = (delta: object, finish_reason: string | null): object => ({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return `${events([chunk({ role: 'assistant', content: ANSWER }, null), chunk({}, 'stop')])}data: [DONE]\n\n`;
}

/** Gemini's. */
const gemini = (): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text: ANSWER }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: TOKENS, candidatesTokenCount: TOKENS, totalTokenCount: 2 * TOKENS },
});

export async function startPlainModel(): Promise<PlainModel> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      asked.push(Buffer.concat(chunks).toString('utf8'));
      const stream = (text: string): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
      if (url.includes('/responses')) stream(responses());
      else if (url.includes('/chat/completions')) stream(chat());
      else if (url.includes(':streamGenerateContent')) stream(events([gemini()]));
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(gemini()));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => void server.close() };
}
