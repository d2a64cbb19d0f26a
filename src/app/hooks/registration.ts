import { HOOK_EVENTS, type HookEvent } from './call.ts';

/** How hooks are registered: the only source of the plugin's hooks.json and of the settings that `init` writes. */

/** The names of the MCP server in a client's settings, and in the plugin. */
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

/** The event before a client expands a command. Its hook saves the words after the command, so that they pass through no shell. */
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

/** After a compaction the server answers; the program answers only if no server runs. */
const COMPACTED = 'compact';
const OTHER_STARTS = `^(?!${COMPACTED}$)`;

/** Shown once a session when the client finds no Node. */
export const NEEDS_NODE =
  'Holdfast needs Node 20.19 or newer, and there is no node on the PATH: memory does nothing in this session. Install it from https://nodejs.org, or switch the plugin off with /plugin.';

/** Uses only shell builtins, so that it starts no other process. */
const checkNode = {
  type: 'command',
  command: `command -v node >/dev/null 2>&1 || printf '%s' '${JSON.stringify({ systemMessage: NEEDS_NODE })}'`,
  timeout: TIMEOUT,
};

/** Tools that can write files without the memory's writer. */
const WRITERS = 'Bash|Write|Edit|MultiEdit|NotebookEdit';

const hookGroup = (matcher: string | undefined, ...hooks: readonly object[]): object => ({ ...(matcher !== undefined && { matcher }), hooks });

/**
 * The groups of one event, as a client's settings list them. Start and end of a session run a process, because the server does not run yet or no longer; all
 * other events ask the server, and so does the start after a compaction.
 */
export function hookGroups(event: RegisteredEvent, { node, script, form }: HookPlaces): readonly object[] {
  if (event === EXPANSION)
    return [hookGroup(COMMANDS[form], { type: 'command', command: node, args: [script.replace(/hook\.js$/, 'slash.js'), '--typed'], timeout: TIMEOUT })];
  // Claude Code prints the answer of every compaction hook, and the start that follows does all that is needed.
  if (event === 'PostCompact') return [];
  const timeout = TIMEOUTS[event] ?? TIMEOUT;
  const run = { type: 'command', command: node, args: [script, event], timeout };
  const fields = FIELDS[event];
  if (fields === undefined) return [hookGroup(undefined, run)];
  const input = Object.fromEntries([...COMMON, ...fields].map((field) => [lastName(field), `\${${field}}`]));
  const ask = { type: 'mcp_tool', server: form === 'plugin' ? PLUGIN_SERVER : SERVER, tool: TOOL, input: { event, ...input }, timeout };
  if (event === 'SessionStart') {
    const check = form === 'plugin' ? [hookGroup('startup|resume', checkNode)] : [];
    return [hookGroup(COMPACTED, run, ask), hookGroup(OTHER_STARTS, run), ...check];
  }
  // All tools before their call: what an agent has read decides how far its text is trusted.
  return [hookGroup(event === 'PostToolUse' ? WRITERS : undefined, ask)];
}
