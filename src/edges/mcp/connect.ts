import { isFailure, isRefused } from '../../core/failure.ts';
import type { CallOrigin } from '../../app/runtime/connected-client.ts';
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

/** The memory of a session, as a connection offers it. */
interface SessionMemoryOffer extends ToolContext {
  isOn(): boolean;
  asksToSave(): boolean;
  /** Changes with the list of records. */
  recordsVersion(): Promise<string | undefined>;
}

/** The memory that a connection serves. It learns the client's name, folders and calls. */
export interface MemorySource {
  readonly turns: TaskQueue;
  readonly memory: SessionMemoryOffer;
  /** Answers the events of the client's hooks; absent if it has none. */
  answerEvent?(event: ToolInput): Promise<string>;
  introduceClient(client: string): void;
  noteOrigin?(origin: CallOrigin): void;
  /** Moves the session to the first of these folders; absent if its folder is fixed. */
  readonly chooseFolder?: ((folders: readonly string[]) => void) | undefined;
}

/** A client's connection to a memory over any transport; `send` takes messages that answer no request. */
export function connectMemory(source: MemorySource, version: string, send: SendMessage): McpConnection {
  const { memory, chooseFolder } = source;
  const [search, get, status] = [searchTool(memory), getTool(memory), statusTool(memory)];
  const tools = [search, get, timelineTool(memory), saveTool(memory), updateTool(memory), retireTool(memory), stateTool(memory), status];
  return new McpConnection(
    {
      name: 'holdfast',
      version,
      instructions: INSTRUCTIONS,
      tools,
      ...(source.answerEvent && { hookTool: hookTool(async (event) => (await source.answerEvent?.(event)) ?? '') }),
      resources: memoryResources(memory, get, status),
      prompts: memoryPrompts(search),
      isOn: () => memory.isOn(),
      eagerTool: () => (memory.asksToSave() ? 'memory_save' : undefined),
      position: () => memory.recordsVersion(),
      introduced: (client) => source.introduceClient(client),
      called: (origin) => source.noteOrigin?.(origin),
      ...(chooseFolder && { workIn: chooseFolder }),
      explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read; run holdfast doctor.'),
    },
    { send, inTurn: (work) => source.turns.run(work) },
  );
}
