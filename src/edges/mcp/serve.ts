import { connectMemory, type MemorySource } from './connect.ts';
import { serveStdio } from './stdio.ts';

/** The session of a client that started the server, as `app/runtime/session-server.ts` runs it. */
export interface McpSession extends MemorySource {
  afterLine(): void;
  leave(): void;
  close(): Promise<void>;
}

/** The MCP server on standard input and output: lives as long as its client. */
export function serveSession(session: McpSession, version: string): Promise<never> {
  const connection = connectMemory(session, version, (message) => process.stdout.write(`${JSON.stringify(message)}\n`));
  return serveStdio({
    take: (line) => connection.take(line),
    answered: () => session.afterLine(),
    leaving: () => session.leave(),
    close: () => session.close(),
  });
}
