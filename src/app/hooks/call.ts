import { isObject } from '../../core/value.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { FENCE_CLOSE } from '../../core/episode/injected.ts';

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
  /** The type of the subagent that makes a tool call; unset where the main agent makes it. */
  readonly callerType?: string;
  readonly agentTranscript?: string;
  readonly lastMessage?: string;
  readonly stopActive?: boolean;
}

/** Work for a background process. */
export interface LaterWork {
  readonly session?: string;
  readonly transcript?: string;
}

/** The answer of a hook, usually empty. */
export interface HookAnswer {
  /** Injected into the agent's context. */
  readonly context?: string;
  readonly permission?: 'allow' | 'deny';
  /** Why a tool is denied. */
  readonly reason?: string;
  /** What the agent is asked to do before it stops. */
  readonly request?: string;
  /** One line that the user sees. */
  readonly notice?: string;
  /** Added to the client's instructions for its summariser. */
  readonly hints?: string;
  readonly later?: LaterWork;
}

export const SILENT: HookAnswer = {};

type Fields = Readonly<Record<string, unknown>>;

/** Events of other clients under the names they are known by here. */
const OTHERWISE: Readonly<Record<string, HookEvent>> = {
  BeforeAgent: 'UserPromptSubmit',
  AfterAgent: 'Stop',
  BeforeTool: 'PreToolUse',
  AfterTool: 'PostToolUse',
  PreCompress: 'PreCompact',
};

export const eventNamed = (name: string): HookEvent | undefined => OTHERWISE[name] ?? HOOK_EVENTS.find((event) => event.toLowerCase() === name.toLowerCase());

/** Ignores placeholders that the client did not fill in. */
const UNFILLED = /^\$\{[\w.]+\}$/;
const LONGEST = 2_000_000;

const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' && !UNFILLED.test(value) ? value.slice(0, LONGEST) : undefined;
};

/** The file that a tool's input names. */
function fileIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return textIn(input, 'file_path') ?? textIn(input, 'notebook_path') ?? textIn(input, 'path') ?? textIn(input, 'file');
}

const inputText = (input: unknown, name: string): string | undefined => (isObject(input) ? textIn(input, name) : undefined);

const isTrue = (value: unknown): boolean => value === true || value === 'true';

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

/** Gemini CLI puts what hooks said at the start before the first prompt of a headless run. */
const typedPart = (prompt: string | undefined): string | undefined => prompt?.replace(/^(?:<hook_context>[^]*?<\/hook_context>\s*)+/, '');

/** Parses a hook's input, from standard input or a tool's arguments. Ignores unexpected fields. */
export function readCall(event: HookEvent, value: unknown): Result<HookCall> {
  if (!isObject(value)) return refuse('INPUT_ERROR', `the ${event} hook was given something other than a JSON object`);
  const text = (name: string): string | undefined => textIn(value, name);
  return ok({
    event,
    ...given('session', text('session_id')),
    ...given('cwd', text('cwd')),
    ...given('transcript', text('transcript_path')),
    ...given('source', text('source')),
    ...given('prompt', typedPart(text('prompt')) ?? inputText(value['tool_input'], 'prompt')),
    ...given('tool', text('tool_name')),
    ...given('file', fileIn(value['tool_input']) ?? text('file_path') ?? text('notebook_path') ?? text('path') ?? text('file')),
    ...given('command', inputText(value['tool_input'], 'command') ?? text('command')),
    ...given('agentId', text('agent_id')),
    ...given('agentType', text('subagent_type') ?? inputText(value['tool_input'], 'subagent_type') ?? text('agent_type')),
    ...given('callerType', event === 'PreToolUse' ? text('agent_type') : undefined),
    ...given('agentTranscript', text('agent_transcript_path')),
    ...given('lastMessage', text('last_assistant_message')),
    ...given('stopActive', isTrue(value['stop_hook_active']) ? true : undefined),
  });
}

/** The same from text; accepts a byte order mark and surrounding white space. */
export function readCallText(event: HookEvent, text: string): Result<HookCall> {
  try {
    return readCall(event, JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return refuse('INPUT_ERROR', `the ${event} hook was given ${text.trim() === '' ? 'nothing' : 'something that is not JSON'}`);
  }
}

/** Above this length the client gives the model only a preview and a path. */
const MOST = 10_000;

/** Cut so that the fence still closes. */
const within = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST - FENCE_CLOSE.length - 2)}…\n${FENCE_CLOSE}`);

/** Shows a Stop hook's context as feedback and goes on; the other clients go on only when the stop is blocked. */
const TAKES_CONTEXT_AT_STOP = 'claude-code';

/** An answer in the form that clients read from a hook's output or a tool's text; empty when there is none. */
export function presentAnswer(event: HookEvent, answer: HookAnswer, client = TAKES_CONTEXT_AT_STOP): string {
  const { context, permission, reason, request, notice, hints } = answer;
  if (hints !== undefined) return hints;
  if (request !== undefined && client !== TAKES_CONTEXT_AT_STOP) return JSON.stringify({ decision: 'block', reason: request });
  const added = request ?? context;
  const specific = {
    ...(added !== undefined && { additionalContext: within(added) }),
    ...(permission !== undefined && { permissionDecision: permission }),
    ...(permission !== undefined && reason !== undefined && { permissionDecisionReason: reason }),
  };
  const said = {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: event, ...specific } }),
  };
  return Object.keys(said).length === 0 ? '' : JSON.stringify(said);
}
