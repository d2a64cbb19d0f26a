/** Metadata that a client adds to its model's calls. */
const MODEL_MARKS = ['claudecode/toolUseId', 'callId', 'itemId', 'x-codex-turn-metadata', 'agent-session-id'];

/** Clients whose hooks call tools, and the metadata by which they mark such calls. */
const HOOK_CLIENTS: Readonly<Record<string, string | undefined>> = { 'claude-code': undefined, 'codex-mcp-client': 'threadId' };

/** Whether a hook of the client makes this call. An unmarked call counts as the model's, which could forge prompts. */
export function isHookCall(client: string | undefined, marks: object): boolean {
  if (client === undefined || !Object.hasOwn(HOOK_CLIENTS, client)) return false;
  const needed = HOOK_CLIENTS[client];
  return !MODEL_MARKS.some((mark) => mark in marks) && (needed === undefined || needed in marks);
}

/**
 * Its hooks call tools that are not listed, so that one that no model should call is not, and with memory off none is. It has our commands in place of
 * prompts.
 */
export const listsLess = (client: string | undefined): boolean => client === 'claude-code';

/** Some clients show their model only the structured form of a result where there is one; it reads the text better. */
export const takesStructured = (client: string | undefined): boolean => client !== 'claude-code' && client !== 'codex-mcp-client';
