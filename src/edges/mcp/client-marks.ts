import type { CallOrigin } from '../../app/runtime/connected-client.ts';
import { isObject } from '../../core/value.ts';

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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The session and the folders that Codex and Goose name with the calls of their models. */
export function callOrigin(marks: Readonly<Record<string, unknown>>): CallOrigin {
  const turn = isObject(marks['x-codex-turn-metadata']) ? marks['x-codex-turn-metadata'] : {};
  const session = textOf(turn['session_id']) ?? textOf(marks['agent-session-id']);
  const folder = textOf(marks['agent-working-dir']);
  const workspaces = isObject(turn['workspaces']) ? Object.keys(turn['workspaces']) : [];
  return { folders: [...workspaces, ...(folder === undefined ? [] : [folder])], ...(session !== undefined && { session }) };
}

/** Whether a client gets no prompts, because it has Holdfast's commands, and no tools while memory is off, because its hooks say when it is on. */
export const listsLess = (client: string | undefined): boolean => client === 'claude-code';

/** Whether a client gets structured results. Some show their model only the structured form, and it reads the text better. */
export const takesStructured = (client: string | undefined): boolean => client !== 'claude-code' && client !== 'codex-mcp-client';
