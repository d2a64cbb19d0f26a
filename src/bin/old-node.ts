import { answerLine, type McpServer } from '../edges/mcp/server.ts';
import { hookTool } from '../edges/mcp/tools/client-event.ts';
import { LineReader } from '../edges/mcp/stdio.ts';
import { tooOld } from './wiring/node-version.ts';

/** A server that knows nothing, where Node is too old for the real one: without it the client would complain at every event. */
export function run(): void {
  const why = tooOld(process.version);
  const server: McpServer = { name: 'holdfast', version: '0.0.0', instructions: why, tools: [hookTool(async () => '')], explain: () => why };
  const reader = new LineReader();
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of reader.push(chunk)) void answerLine(server, line).then((said) => said !== undefined && process.stdout.write(`${said}\n`));
  });
}
