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

/** The memory that a connection serves. It learns the client's name, folders and calls. */
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
  /** Moves the session to the first of these folders; absent if its folder is fixed. */
  readonly workIn?: ((folders: readonly string[]) => void) | undefined;
}

/** A client's connection to a memory over any transport; `send` takes messages that answer no request. */
export function connectMemory(source: MemorySource, version: string, send: SendMessage): McpConnection {
  const [search, get, status] = [searchTool(source), getTool(source), statusTool(source)];
  const tools = [search, get, timelineTool(source), saveTool(source), updateTool(source), retireTool(source), stateTool(source), status];
  const { workIn } = source;
  return new McpConnection(
    {
      name: 'holdfast',
      version,
      instructions: INSTRUCTIONS,
      tools,
      ...(source.answer && { hookTool: hookTool(async (event) => (await source.answer?.(event)) ?? '') }),
      resources: memoryResources(source, get, status),
      prompts: memoryPrompts(search),
      isOn: () => source.isOn(),
      eagerTool: () => (source.asksToSave() ? 'memory_save' : undefined),
      position: () => source.position(),
      introduced: (client) => source.introduced(client),
      called: (origin) => source.called?.(origin),
      ...(workIn && { workIn }),
      explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read; run holdfast doctor.'),
    },
    { send, inTurn: (work) => source.turns.run(work) },
  );
}
