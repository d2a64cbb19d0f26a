import type { HookEvent } from './call.ts';

/** How a client is told of the hooks: the one source of the plugin's hooks.json and of what `init` writes. */

/** Server names under which a client knows the MCP server, in the plugin and without it. */
export const SERVER = 'holdfast';
const PLUGIN_SERVER = `plugin:memory:${SERVER}`;
const TOOL = 'client_event';

export interface HookPlaces {
  /** The program that runs bundles. */
  readonly node: string;
  /** The bundle that answers command hooks. */
  readonly script: string;
  readonly form: 'plugin' | 'settings';
}

const COMMON = ['session_id', 'transcript_path', 'cwd'];
/** What each event hands on; more would be work for nothing. */
const FIELDS: Readonly<Partial<Record<HookEvent, readonly string[]>>> = {
  UserPromptSubmit: ['prompt'],
  PreToolUse: ['tool_name', 'tool_input.file_path', 'tool_input.notebook_path', 'tool_input.prompt', 'tool_input.subagent_type', 'agent_id'],
  SubagentStart: ['agent_id', 'agent_type'],
  SubagentStop: ['agent_id', 'agent_type', 'agent_transcript_path', 'last_assistant_message', 'stop_hook_active'],
  Stop: ['stop_hook_active', 'last_assistant_message'],
  PreCompact: ['trigger'],
  PostCompact: ['trigger', 'compact_summary'],
};

const matcherFor = (event: HookEvent, form: HookPlaces['form']): string | undefined => {
  if (event !== 'PreToolUse') return undefined;
  const own = form === 'plugin' ? `mcp__plugin_memory_${SERVER}__memory_.*` : `mcp__${SERVER}__memory_.*`;
  return `Read|Write|Edit|MultiEdit|NotebookEdit|Agent|Task|${own}`;
};

/** Seconds: the client waits no longer, and goes on without an answer. */
const TIMEOUTS: Readonly<Partial<Record<HookEvent, number>>> = { SessionStart: 10, SessionEnd: 2, UserPromptSubmit: 5, PreToolUse: 5, Stop: 15 };
const TIMEOUT = 10;

const lastName = (field: string): string => field.slice(field.indexOf('.') + 1);

/** Servers are not there yet when a session starts and gone when it ends: those two events start a process, the others ask the server. */
export function hookHandler(event: HookEvent, { node, script, form }: HookPlaces): object {
  const timeout = TIMEOUTS[event] ?? TIMEOUT;
  const fields = FIELDS[event];
  if (fields === undefined) return { type: 'command', command: node, args: [script, event], timeout };
  const input = Object.fromEntries([...COMMON, ...fields].map((field) => [lastName(field), `\${${field}}`]));
  return { type: 'mcp_tool', server: form === 'plugin' ? PLUGIN_SERVER : SERVER, tool: TOOL, input: { event, ...input }, timeout };
}

/** The groups of one event, as a client's settings list them. */
export function hookGroup(event: HookEvent, places: HookPlaces): object {
  const matcher = matcherFor(event, places.form);
  return { ...(matcher !== undefined && { matcher }), hooks: [hookHandler(event, places)] };
}
