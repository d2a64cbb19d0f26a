import type { ToolCall } from '../../../core/episode/episode.ts';
import { argumentsOf, describeCall } from '../call.ts';
import { idOf, jsonOf, objectOf, stringOf, contentText, textAfter, dropBlocks, openingOf } from '../value.ts';
import type { Json } from '../../../core/value.ts';
import { stripInjected } from '../../../core/episode/injected.ts';

const MAX_PROGRAM = 20_000;
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call', 'tool_search_call', 'mcp_tool_call']);
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output', 'mcp_tool_call_output']);

export const isCall = (type: string): boolean => CALLS.has(type);
export const isOutput = (type: string): boolean => OUTPUTS.has(type);

/** A call of any kind that Codex has. For a call that is a program, the commands inside it are extracted. */
export function callOf(item: Json, fallbackId: string, limit: number): ToolCall {
  const id = idOf(item['call_id']) ?? idOf(item['id']) ?? fallbackId;
  const type = stringOf(item['type']) ?? '';
  const own = stringOf(item['name']) ?? type.replace(/_call$/, '');
  // An MCP tool has its server's name in `namespace`.
  const name = [stringOf(item['namespace']), own].filter((part) => part !== undefined && part !== '').join('__');
  const input = item['arguments'] ?? item['input'] ?? item['action'];
  const call = describeCall(id, name, argumentsOf(input), limit);
  const inner = call.command === undefined && typeof input === 'string' ? programCommands(input) : '';
  return inner === '' ? call : { ...call, command: inner };
}

function programCommands(program: string): string {
  const commands = [...program.slice(0, MAX_PROGRAM).matchAll(/exec_command\(\s*\{[^}]*?["']?cmd["']?\s*:\s*("(?:[^"\\]|\\.)*")/g)];
  return commands
    .map((match) => stringOf(jsonOf(match[1] ?? '')) ?? '')
    .join('\n')
    .trim();
}

export interface Output {
  readonly text: string;
  readonly failed: boolean;
}

const HEADER = /^(?:Chunk ID|Wall time|Exit code|Process exited|Command:|Original token)[^\n]*\n(?:[^\n]*\n){0,6}?Output:\n/;

/** The result of a call, from plain text, JSON with an exit code, or a list of content items. */
export function outputOf(item: Json): Output {
  const raw = item['output'] ?? item['tools'];
  const parsed = typeof raw === 'string' && raw.startsWith('{') ? objectOf(argumentsOf(raw)) : objectOf(raw);
  const inner = parsed?.['output'] ?? parsed?.['content'];
  const text = inner === undefined ? contentText(raw, true) : contentText(inner, true);
  const code = objectOf(parsed?.['metadata'])?.['exit_code'] ?? /^(?:Exit code:|Process exited with code) (-?\d+)/m.exec(text.slice(0, 400))?.[1];
  const failed = parsed?.['success'] === false || (code !== undefined && Number(code) !== 0);
  return { text: text.replace(HEADER, '').trim(), failed };
}

/** Context that Codex sends as user messages: instructions, environment, notices. */
const CONTEXT = /^(?:# AGENTS\.md instructions|<INSTRUCTIONS>|Another language model started to solve this problem|Warning: The maximum number of)/;
/** The editor's context, which the typed request follows. */
const EDITOR_CONTEXT = '# Context from my IDE setup:';
const REQUEST = '## My request for Codex:';
const HOOK_OPENING = openingOf('hook_context|hook_prompt');
/** A text that is one tagged block from end to end. A prompt of that form is still read from its event. */
const ONE_BLOCK = /^<([a-z][a-z_-]*)(?:\s[^>]*)?>[\s\S]*<\/\1(?:\s[^>]*)?>$/i;

/** The typed text of a prompt event. */
export function promptWords(text: string): string {
  const words = stripInjected(text).trim();
  if (words.startsWith(EDITOR_CONTEXT) && !words.includes(REQUEST)) return '';
  return dropBlocks(textAfter(words, REQUEST), HOOK_OPENING).trim();
}

/** The typed text of a user message in the model's history, which also has context as user messages. */
export function historyWords(text: string): string {
  const words = stripInjected(text).trim();
  return CONTEXT.test(words) || ONE_BLOCK.test(words) ? '' : promptWords(words);
}
