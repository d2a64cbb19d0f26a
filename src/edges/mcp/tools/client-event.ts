import type { ToolInput, ToolResult, Tool } from '../tool.ts';

/** Answers the client's `mcp_tool` hooks. No model sees it or can call it. */
export const hookTool = (answer: (given: ToolInput) => Promise<string>): Tool => ({
  name: 'client_event',
  description: 'The client calls it for session events.',
  inputSchema: { type: 'object', properties: { event: { type: 'string' } }, required: ['event'] },
  annotations: { title: 'Internal', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  // Claude Code injects "hook completed" for an empty text, nothing for an empty object.
  run: async (given): Promise<ToolResult> => ({ text: (await answer(given)) || '{}' }),
});
