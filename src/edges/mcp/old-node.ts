import { CODES, failing, readMessage } from './message.ts';
import { agreedVersion } from './protocol.ts';
import { LineReader } from './stdio.ts';

/** A server without a memory, for a Node too old to run the real one: without any server the client would complain at every event. */
export function serveOnOldNode(why: string): void {
  const results: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: agreedVersion(protocolVersion),
      capabilities: { tools: {} },
      serverInfo: { name: 'holdfast', version: '0.0.0' },
      instructions: why,
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [] }),
    'tools/call': () => ({ content: [{ type: 'text', text: '{}' }] }),
  };
  const answer = (line: string): object | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return failing(null, CODES.parse, 'not JSON');
    }
    const incoming = readMessage(value);
    if ('fault' in incoming) return incoming.fault;
    if ('notice' in incoming) return undefined;
    const { id, method, params } = incoming.request;
    const result = Object.hasOwn(results, method) ? results[method] : undefined;
    return result ? { jsonrpc: '2.0', id, result: result(params) } : failing(id, CODES.unknown, `${method} is not offered`);
  };
  const reader = new LineReader();
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of reader.push(chunk)) {
      const reply = answer(line);
      if (reply) process.stdout.write(`${JSON.stringify(reply)}\n`);
    }
  });
}
