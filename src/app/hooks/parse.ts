import { HOOK_EVENTS, type HookCall, type HookEvent } from './call.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

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
  return textIn(input, 'file_path') ?? textIn(input, 'notebook_path') ?? textIn(input, 'path');
}

const inputText = (input: unknown, name: string): string | undefined => (isObject(input) ? textIn(input, name) : undefined);

const isTrue = (value: unknown): boolean => value === true || value === 'true';

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

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
    ...given('prompt', text('prompt') ?? inputText(value['tool_input'], 'prompt')),
    ...given('tool', text('tool_name')),
    ...given('file', fileIn(value['tool_input']) ?? text('file_path') ?? text('notebook_path')),
    ...given('command', inputText(value['tool_input'], 'command') ?? text('command')),
    ...given('agentId', text('agent_id')),
    ...given('agentType', text('subagent_type') ?? inputText(value['tool_input'], 'subagent_type') ?? text('agent_type')),
    ...given('agentTranscript', text('agent_transcript_path')),
    ...given('lastMessage', text('last_assistant_message')),
    ...given('stopActive', isTrue(value['stop_hook_active']) ? true : undefined),
    ...given('trigger', text('trigger')),
    ...given('compactSummary', text('compact_summary')),
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
