import { isFailure, isRefused } from '../../core/failure.ts';
import type { CallOrigin } from '../../app/runtime/session-server.ts';
import type { TaskQueue } from '../../core/task-queue.ts';
import type { SendMessage } from './call-notices.ts';
import { McpConnection } from './connection.ts';
import { memoryPrompts } from './prompts.ts';
import { memoryResources } from './resources.ts';
import { INSTRUCTIONS, type ToolContext, type ToolInput } from './tool.ts';
import { hookTool } from './tools/client-event.ts';
import { getTool, searchTool, timelineTool } from './tools/read.ts';
import { stateTool } from './tools/state.ts';
import { statusTool } from './tools/status.ts';
import { retireTool, saveTool, updateTool } from './tools/write.ts';

/** The memory that a connection serves, and what its client tells of itself. */
export interface MemorySource extends ToolContext {
  readonly turns: TaskQueue;
  /** Answers the events of the client's hooks; absent if it has none. */
  answer?(event: ToolInput): Promise<string>;
  isOn(): boolean;
  asksToSave(): boolean;
  /** Changes with the list of records. */
  position(): Promise<string | undefined>;
  introduced(client: string): void;
  called?(origin: CallOrigin): void;
  /** Works in the first of these folders; absent if the folder is known. */
  readonly workIn?: ((folders: readonly string[]) => void) | undefined;
}

/** A client's connection to a memory over any transport; `send` takes what answers no message of the client. */
export function connectMemory(served: MemorySource, version: string, send: SendMessage): McpConnection {
  const [search, get, status] = [searchTool(served), getTool(served), statusTool(served)];
  const tools = [search, get, timelineTool(served), saveTool(served), updateTool(served), retireTool(served), stateTool(served), status];
  const { workIn } = served;
  return new McpConnection(
    {
      name: 'holdfast',
      version,
      instructions: INSTRUCTIONS,
      tools,
      ...(served.answer && { hookTool: hookTool(async (event) => (await served.answer?.(event)) ?? '') }),
      resources: memoryResources(served, get, status),
      prompts: memoryPrompts(search),
      isOn: () => served.isOn(),
      askedTool: () => (served.asksToSave() ? 'memory_save' : undefined),
      position: () => served.position(),
      introduced: (client) => served.introduced(client),
      called: (origin) => served.called?.(origin),
      ...(workIn && { workIn }),
      explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read; run holdfast doctor.'),
    },
    { send, inTurn: (work) => served.turns.run(work) },
  );
}
