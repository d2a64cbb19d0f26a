import { answerLine, type McpServer } from './server.ts';
import { LineReader } from './stdio.ts';
import { hookTool } from './tools/client-event.ts';

/** A server without a memory, for a Node too old to run the real one: without any server the client would complain at every event. */
export function serveOnOldNode(why: string): void {
  const server: McpServer = { name: 'holdfast', version: '0.0.0', instructions: why, tools: [hookTool(async () => '')], explain: () => why };
  const reader = new LineReader();
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of reader.push(chunk)) void answerLine(server, line).then((answer) => answer !== undefined && process.stdout.write(`${answer}\n`));
  });
}
