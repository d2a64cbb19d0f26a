import type { ToolInput, ToolResult, Tool } from '../tool.ts';

/** Answers the client's `mcp_tool` hooks. Its name and description keep models from calling it. */
export const hookTool = (answer: (given: ToolInput) => Promise<string>): Tool => ({
  name: 'client_event',
  description: 'Internal. The client calls it for session events; other calls get an error.',
  inputSchema: { type: 'object', properties: { event: { type: 'string' } }, required: ['event'] },
  annotations: { title: 'Internal', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  // A model that could report prompts could forge them.
  // Claude Code injects "hook completed" for an empty text, nothing for an empty object.
  run: async (given, byHook): Promise<ToolResult> => (byHook ? { text: (await answer(given)) || '{}' } : { text: 'Internal.', isError: true }),
});
