import { isFailure, isRefused } from '../../core/failure.ts';
import type { TaskQueue } from '../../core/task-queue.ts';
import { answerLine, type McpServer } from './server.ts';
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
  answered(): void;
  leave(): void;
  close(): Promise<void>;
}

/** The MCP server on standard input and output: lives as long as its client. */
export function serveSession(session: McpSession, version: string): Promise<never> {
  const tools = [searchTool, getTool, timelineTool, saveTool, updateTool, retireTool, stateTool, statusTool].map((tool) => tool(session));
  const mcp: McpServer = {
    name: 'holdfast',
    version,
    instructions: INSTRUCTIONS,
    tools,
    hookTool: hookTool((event) => session.answer(event)),
    isOn: () => session.isOn(),
    askedTool: () => (session.asksToSave() ? 'memory_save' : undefined),
    explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read just now; holdfast doctor tells more.'),
  };
  return serveStdio({
    answer: (line) => session.turns.run(() => answerLine(mcp, line)),
    answered: () => session.answered(),
    leaving: () => session.leave(),
    close: () => session.close(),
  });
}
