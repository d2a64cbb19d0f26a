import type { ToolInput, ToolResult, Tool } from '../tool.ts';

/** Answers the client's `mcp_tool` hooks. Named and worded so that no model wants it. */
export const hookTool = (answer: (given: ToolInput) => Promise<string>): Tool => ({
  name: 'client_event',
  description: 'Internal. Called by the client itself when a session event happens; answers nothing to anybody else.',
  inputSchema: { type: 'object', properties: { event: { type: 'string' } }, required: ['event'] },
  annotations: { title: 'Internal', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  // A model that could tell of prompts could put words into its user's mouth.
  // An empty text would put "hook completed" before the model at every event; an empty object says nothing at all.
  run: async (given, byHook): Promise<ToolResult> => (byHook ? { text: (await answer(given)) || '{}' } : { text: 'Internal.', isError: true }),
});
