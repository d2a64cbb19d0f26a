import type { BackgroundWork } from '../../core/ports/machine.ts';
import { isObject } from '../../core/value.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

/** The events of a session that hooks answer; every version of the client that is supported knows them. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** An event, independent of any client's field names. */
export interface HookCall {
  readonly event: HookEvent;
  readonly session?: string;
  readonly cwd?: string;
  readonly transcript?: string;
  /** How a session starts: startup, resume, clear, compact, fork. */
  readonly source?: string;
  readonly prompt?: string;
  readonly tool?: string;
  /** The file that a tool is about to write. */
  readonly file?: string;
  /** The command that a shell is about to run. */
  readonly command?: string;
  readonly agentId?: string;
  readonly agentType?: string;
  /** The type of the subagent that makes a tool call; unset if the main agent makes it. */
  readonly callerType?: string;
  readonly agentTranscript?: string;
  readonly lastMessage?: string;
  readonly stopActive?: boolean;
  /** Whether a field that only Cursor sends is there: Cursor also runs hooks that are registered for Claude Code. */
  readonly isFromCursor?: boolean;
}

/** The answer of a hook, usually empty. */
export interface HookAnswer {
  /** Injected into the agent's context. */
  readonly context?: string;
  readonly permission?: 'allow' | 'deny';
  /** Why a tool is denied. */
  readonly reason?: string;
  /** The request to the agent before it stops. */
  readonly request?: string;
  /** One line that the user sees. */
  readonly notice?: string;
  /** Added to the client's instructions for its summariser. */
  readonly summaryHints?: string;
  /** The session that a background process takes in. */
  readonly backgroundWork?: Pick<BackgroundWork, 'session' | 'transcript'>;
}

export const SILENT: HookAnswer = {};

type Fields = Readonly<Record<string, unknown>>;

/** Other clients' names for these events. */
const OTHER_EVENT_NAMES: Readonly<Record<string, HookEvent>> = {
  BeforeAgent: 'UserPromptSubmit',
  AfterAgent: 'Stop',
  BeforeTool: 'PreToolUse',
  AfterTool: 'PostToolUse',
  PreCompress: 'PreCompact',
  userPromptSubmitted: 'UserPromptSubmit',
  beforeSubmitPrompt: 'UserPromptSubmit',
  agentStop: 'Stop',
};

/** Other clients' names for the fields of an event. */
const OTHER_FIELD_NAMES: Readonly<Record<string, string>> = {
  sessionId: 'session_id',
  conversation_id: 'session_id',
  toolName: 'tool_name',
  toolArgs: 'tool_input',
  agentId: 'agent_id',
  agentType: 'agent_type',
  taskId: 'session_id',
};

/** Cline puts a tool's name and input into an object of their own. */
const clineCall = ({ tool_call: call }: Fields): Fields => (isObject(call) ? { tool_name: call['name'], tool_input: call['input'] } : {});

/** Cursor and Cline name their folders in a list. */
function normalizedFields(value: Fields): Fields {
  const renamed = Object.entries(OTHER_FIELD_NAMES).flatMap(([name, usual]) => (name in value && !(usual in value) ? [[usual, value[name]] as const] : []));
  const folders = value['workspace_roots'] ?? value['workspaceRoots'];
  const folder: unknown = Array.isArray(folders) ? folders[0] : undefined;
  return {
    ...(typeof folder === 'string' && { cwd: folder }),
    ...clineCall(value),
    ...value,
    ...Object.fromEntries(renamed),
  };
}

export const eventNamed = (name: string): HookEvent | undefined =>
  OTHER_EVENT_NAMES[name] ?? HOOK_EVENTS.find((event) => event.toLowerCase() === name.toLowerCase());

/** A placeholder that the client did not fill in. */
const UNFILLED = /^\$\{[\w.]+\}$/;
const MAX_FIELD_LENGTH = 2_000_000;

const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' && !UNFILLED.test(value) ? value.slice(0, MAX_FIELD_LENGTH) : undefined;
};

/** The file that a tool's input names. */
function fileIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return textIn(input, 'file_path') ?? textIn(input, 'notebook_path') ?? textIn(input, 'path') ?? textIn(input, 'file');
}

const inputText = (input: unknown, name: string): string | undefined => (isObject(input) ? textIn(input, name) : undefined);

/** Cline runs several commands at once. */
function commandIn(input: unknown): string | undefined {
  const several = isObject(input) && Array.isArray(input['commands']) ? input['commands'].filter((one) => typeof one === 'string') : [];
  return inputText(input, 'command') ?? textIn({ commands: several.join('\n') }, 'commands');
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';

const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

/** Gemini CLI puts the context that hooks added at the start before the first prompt of a headless run. */
const withoutHookContext = (prompt: string | undefined): string | undefined => prompt?.replace(/^(?:<hook_context>[^]*?<\/hook_context>\s*)+/, '');

/** Parses a hook's input, from standard input or a tool's arguments. Ignores unexpected fields. */
export function readCall(event: HookEvent, input: unknown): Result<HookCall> {
  if (!isObject(input)) return refuse('INPUT_ERROR', `the input of the ${event} hook is not a JSON object`);
  const value = normalizedFields(input);
  const text = (name: string): string | undefined => textIn(value, name);
  return ok({
    event,
    ...optional('session', text('session_id')),
    ...optional('cwd', text('cwd')),
    ...optional('transcript', text('transcript_path')),
    ...optional('source', text('source')),
    ...optional('prompt', withoutHookContext(text('prompt')) ?? inputText(value['tool_input'], 'prompt')),
    ...optional('tool', text('tool_name')),
    ...optional('file', fileIn(value['tool_input']) ?? text('file_path') ?? text('notebook_path') ?? text('path') ?? text('file')),
    ...optional('command', commandIn(value['tool_input']) ?? text('command')),
    ...optional('agentId', text('agent_id')),
    ...optional(
      'agentType',
      text('subagent_type') ?? inputText(value['tool_input'], 'subagent_type') ?? inputText(value['tool_input'], 'agent_type') ?? text('agent_type'),
    ),
    ...optional('callerType', event === 'PreToolUse' ? text('agent_type') : undefined),
    ...optional('agentTranscript', text('agent_transcript_path')),
    ...optional('lastMessage', text('last_assistant_message')),
    ...optional('stopActive', isTrue(value['stop_hook_active']) ? true : undefined),
    ...optional('isFromCursor', 'conversation_id' in input ? true : undefined),
  });
}

/** Parses the same input from text; accepts a byte order mark and surrounding white space. */
export function readCallText(event: HookEvent, text: string): Result<HookCall> {
  try {
    return readCall(event, JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return refuse('INPUT_ERROR', `the input of the ${event} hook ${text.trim() === '' ? 'is empty' : 'is not JSON'}`);
  }
}
