import { isFailure, isRefused } from '../../core/failure.ts';
import type { TaskQueue } from '../../core/task-queue.ts';
import { McpConnection } from './connection.ts';
import { memoryPrompts } from './prompts.ts';
import { memoryResources } from './resources.ts';
import { serveStdio } from './stdio.ts';
import { INSTRUCTIONS, type ToolContext, type ToolInput } from './tool.ts';
import { hookTool } from './tools/client-event.ts';
import { getTool, searchTool, timelineTool } from './tools/read.ts';
import { stateTool } from './tools/state.ts';
import { statusTool } from './tools/status.ts';
import { retireTool, saveTool, updateTool } from './tools/write.ts';

/** The session behind the server, as `app/runtime/session-server.ts` runs it. */
export interface McpSession extends ToolContext {
  readonly turns: TaskQueue;
  answer(event: ToolInput): Promise<string>;
  isOn(): boolean;
  asksToSave(): boolean;
  /** Changes with the list of records. */
  position(): Promise<string | undefined>;
  introduced(client: string): void;
  /** Works in the first of these folders; absent where the client named the folder when it started the server. */
  readonly workIn?: ((folders: readonly string[]) => void) | undefined;
  answered(): void;
  leave(): void;
  close(): Promise<void>;
}

/** The MCP server on standard input and output: lives as long as its client. */
export function serveSession(session: McpSession, version: string): Promise<never> {
  const [search, get, status] = [searchTool(session), getTool(session), statusTool(session)];
  const tools = [search, get, timelineTool(session), saveTool(session), updateTool(session), retireTool(session), stateTool(session), status];
  const { workIn } = session;
  const connection = new McpConnection(
    {
      name: 'holdfast',
      version,
      instructions: INSTRUCTIONS,
      tools,
      hookTool: hookTool((event) => session.answer(event)),
      resources: memoryResources(session, get, status),
      prompts: memoryPrompts(search),
      isOn: () => session.isOn(),
      askedTool: () => (session.asksToSave() ? 'memory_save' : undefined),
      position: () => session.position(),
      introduced: (client) => session.introduced(client),
      ...(workIn && { workIn }),
      explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read just now; holdfast doctor tells more.'),
    },
    { send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`), inTurn: (work) => session.turns.run(work) },
  );
  return serveStdio({
    take: (line) => connection.take(line),
    answered: () => session.answered(),
    leaving: () => session.leave(),
    close: () => session.close(),
  });
}
