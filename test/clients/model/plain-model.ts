import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the model makes in its next answer to a client that offers the tool, whatever the client puts before its name. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: object;
}

/** A model on loopback that answers one sentence in the protocol it is asked in, and keeps every question. */
export interface PlainModel {
  readonly url: string;
  readonly asked: readonly string[];
  /** Calls still to be made, the next one first. */
  readonly calls: PlannedCall[];
  /** How full the model says that the client's context is, from now on. */
  says(inputTokens: number): void;
  close(): void;
}

/** A call as the client named the tool. */
interface NamedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: object;
}

interface Answer {
  readonly text: string;
  readonly call?: NamedCall | undefined;
  readonly inputTokens: number;
}

const ANSWER = 'I have noted it.';
const SUMMARY = '<state_snapshot>\nSCRIPTED-SUMMARY: the two talked.\n</state_snapshot>';
const TOKENS = 10;

/** How clients ask for the summary of a conversation. */
const COMPACTION =
  /CONTEXT CHECKPOINT COMPACTION|<state_snapshot>|anchored summary|detailed prompt for continuing our conversation|summary of the conversation|summarize the following conversation/i;

const events = (list: readonly object[]): string => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** OpenAI's Responses, as Codex asks. */
function responses({ text, call, inputTokens }: Answer): string {
  const item = call
    ? {
        type: 'function_call',
        id: 'fc_1',
        call_id: call.id,
        name: call.name,
        namespace: call.namespace,
        arguments: JSON.stringify(call.input),
        status: 'completed',
      }
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
  const usage = { input_tokens: inputTokens, output_tokens: TOKENS, total_tokens: inputTokens + TOKENS };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
  const named: readonly [string, object][] = [
    ['response.created', { response: { ...response, status: 'in_progress', output: [] } }],
    ['response.output_item.done', { output_index: 0, item }],
    ['response.completed', { response }],
  ];
  return named.map(([type, event]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`).join('');
}

/** OpenAI's Chat, as opencode asks. */
function chat({ text, call, inputTokens }: Answer): string {
  const chunk = (delta: object, finish_reason: string | null, more: object = {}): object => ({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  });
  const said = call
    ? { tool_calls: [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } }] }
    : { content: text };
  const usage = { prompt_tokens: inputTokens, completion_tokens: TOKENS, total_tokens: inputTokens + TOKENS };
  return `${events([chunk({ role: 'assistant', ...said }, null), chunk({}, call ? 'tool_calls' : 'stop', { usage })])}data: [DONE]\n\n`;
}

/** Gemini's. */
const gemini = ({ text, call, inputTokens }: Answer): object => ({
  candidates: [
    { content: { role: 'model', parts: [call ? { functionCall: { name: call.name, args: call.input } } : { text }] }, finishReason: 'STOP', index: 0 },
  ],
  usageMetadata: { promptTokenCount: inputTokens, candidatesTokenCount: TOKENS, totalTokenCount: inputTokens + TOKENS },
});

interface OfferedTool {
  readonly name?: string;
  readonly function?: { readonly name: string };
  /** Codex: a server's tools stand in a namespace. */
  readonly tools?: readonly OfferedTool[];
  readonly functionDeclarations?: readonly OfferedTool[];
}

/** The tool as the client offers it. */
function offered(tools: readonly OfferedTool[], wanted: string, namespace?: string): Omit<NamedCall, 'id' | 'input'> | undefined {
  for (const { name = '', function: named, tools: inside, functionDeclarations = [] } of tools) {
    const found = inside ? offered(inside, wanted, name) : offered(functionDeclarations, wanted);
    if (found) return found;
    const called = named?.name ?? name;
    if (!inside && called.endsWith(wanted)) return { name: called, ...(namespace !== undefined && { namespace }) };
  }
  return undefined;
}

/** Whether the last message asks for a summary; some clients offer tools with it. */
function endsWithSummary(body: string): boolean {
  const { messages = [] } = body.startsWith('{') ? (JSON.parse(body) as { messages?: readonly object[] }) : {};
  return COMPACTION.test(JSON.stringify(messages.at(-1) ?? ''));
}

const toolsIn = (body: string): readonly OfferedTool[] => (body.startsWith('{') ? ((JSON.parse(body) as { tools?: readonly OfferedTool[] }).tools ?? []) : []);

export async function startPlainModel(): Promise<PlainModel> {
  const asked: string[] = [];
  const calls: PlannedCall[] = [];
  let inputTokens = TOKENS;
  let made = 0;
  const answerTo = (body: string): Answer => {
    const [next] = calls;
    const isSummary = endsWithSummary(body);
    const tool = next && !isSummary && offered(toolsIn(body), next.tool);
    if (next && tool) {
      calls.shift();
      made += 1;
      return { text: '', call: { ...tool, id: `call_${made}`, input: next.input }, inputTokens };
    }
    return { text: isSummary || COMPACTION.test(body.slice(-4_000)) ? SUMMARY : ANSWER, inputTokens };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      const body = Buffer.concat(chunks).toString('utf8');
      asked.push(body);
      const answer = answerTo(body);
      const stream = (text: string): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
      if (url.includes('/responses')) stream(responses(answer));
      else if (url.includes('/chat/completions')) stream(chat(answer));
      else if (url.includes(':streamGenerateContent')) stream(events([gemini(answer)]));
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(gemini(answer)));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    calls,
    says: (tokens) => {
      inputTokens = tokens;
    },
    close: () => void server.close(),
  };
}
