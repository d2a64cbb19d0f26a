import { HOOK_EVENTS, type HookEvent } from './call.ts';

/** How hooks are registered: the one source of the plugin's hooks.json and of what `init` writes. */

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

/** Comes before a client expands a command: the words behind it are kept for the command, so that they pass through no shell. */
const EXPANSION = 'UserPromptExpansion';
const COMMANDS = { plugin: 'memory:.*', settings: 'summarize|recall|synthesize|workspace|user' } as const;

export const REGISTERED_EVENTS = [...HOOK_EVENTS, EXPANSION] as const;
export type RegisteredEvent = (typeof REGISTERED_EVENTS)[number];

const COMMON = ['session_id', 'transcript_path', 'cwd'];
/** The fields that each event passes on. */
const FIELDS: Readonly<Partial<Record<HookEvent, readonly string[]>>> = {
  SessionStart: ['source'],
  UserPromptSubmit: ['prompt'],
  PreToolUse: [
    'tool_name',
    'tool_input.file_path',
    'tool_input.notebook_path',
    'tool_input.path',
    'tool_input.file',
    'tool_input.command',
    'tool_input.prompt',
    'tool_input.subagent_type',
    'agent_id',
    'agent_type',
  ],
  PostToolUse: ['tool_name', 'tool_input.command', 'tool_input.file_path', 'tool_input.notebook_path'],
  SubagentStart: ['agent_id', 'agent_type'],
  SubagentStop: ['agent_id', 'agent_type', 'agent_transcript_path', 'last_assistant_message', 'stop_hook_active'],
  Stop: ['stop_hook_active', 'last_assistant_message'],
  PreCompact: [],
};

/** Seconds after which the client continues without an answer. */
const TIMEOUTS: Readonly<Partial<Record<HookEvent, number>>> = { SessionStart: 10, SessionEnd: 2, UserPromptSubmit: 5, PreToolUse: 5, Stop: 15 };
const TIMEOUT = 10;

const lastName = (field: string): string => field.slice(field.indexOf('.') + 1);

/** After a compaction the server is there and answers; the program beside it answers only if no server runs. */
const COMPACTED = 'compact';
const OTHER_STARTS = `^(?!${COMPACTED}$)`;

/** Shown once a session when the client finds no Node. */
export const NEEDS_NODE =
  'Holdfast needs Node 20.19 or newer, and there is no node on the PATH: memory does nothing in this session. Install it from https://nodejs.org, or switch the plugin off with /plugin.';

/** Shell builtins only, so that it starts no further process. */
const checkNode = {
  type: 'command',
  command: `command -v node >/dev/null 2>&1 || printf '%s' '${JSON.stringify({ systemMessage: NEEDS_NODE })}'`,
  timeout: TIMEOUT,
};

/** Tools that can write past the writer. */
const WRITERS = 'Bash|Write|Edit|MultiEdit|NotebookEdit';

const group = (matcher: string | undefined, ...hooks: readonly object[]): object => ({ ...(matcher !== undefined && { matcher }), hooks });

/** The groups of one event, as a client's settings list them. Servers are not there yet when a session starts and gone when it ends: those two events start a process, the others ask the server, and so does a session that goes on after a compaction. */
export function hookGroups(event: RegisteredEvent, { node, script, form }: HookPlaces): readonly object[] {
  if (event === EXPANSION)
    return [group(COMMANDS[form], { type: 'command', command: node, args: [script.replace(/hook\.js$/, 'slash.js'), '--typed'], timeout: TIMEOUT })];
  // Claude Code prints the answer of every compaction hook, and the start that follows does all that this one could.
  if (event === 'PostCompact') return [];
  const timeout = TIMEOUTS[event] ?? TIMEOUT;
  const run = { type: 'command', command: node, args: [script, event], timeout };
  const fields = FIELDS[event];
  if (fields === undefined) return [group(undefined, run)];
  const input = Object.fromEntries([...COMMON, ...fields].map((field) => [lastName(field), `\${${field}}`]));
  const ask = { type: 'mcp_tool', server: form === 'plugin' ? PLUGIN_SERVER : SERVER, tool: TOOL, input: { event, ...input }, timeout };
  if (event === 'SessionStart') {
    const check = form === 'plugin' ? [group('startup|resume', checkNode)] : [];
    return [group(COMPACTED, run, ask), group(OTHER_STARTS, run), ...check];
  }
  // Every tool: what the agent has read decides how far its words are trusted.
  return [group(event === 'PostToolUse' ? WRITERS : undefined, ask)];
}
