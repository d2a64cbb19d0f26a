import type { ToolCall } from '../../../core/episode.ts';
import { argumentsOf, describeCall } from '../call.ts';
import { idOf, type Json, jsonOf, objectOf, stringOf, contentText } from '../value.ts';

const MAX_PROGRAM = 20_000;
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call', 'tool_search_call', 'mcp_tool_call']);
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output', 'mcp_tool_call_output']);

export const isCall = (type: string): boolean => CALLS.has(type);
export const isOutput = (type: string): boolean => OUTPUTS.has(type);

/** A call of any of Codex's kinds. One written as a program names the commands inside it. */
export function callOf(item: Json, fallbackId: string, limit: number): ToolCall {
  const id = idOf(item['call_id']) ?? idOf(item['id']) ?? fallbackId;
  const type = stringOf(item['type']) ?? '';
  const name = stringOf(item['name']) ?? type.replace(/_call$/, '');
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

/** What a call gave back: plain text, JSON with an exit code in it, or a list of content items. */
export function outputOf(item: Json): Output {
  const raw = item['output'] ?? item['tools'];
  const parsed = typeof raw === 'string' && raw.startsWith('{') ? objectOf(argumentsOf(raw)) : objectOf(raw);
  const inner = parsed?.['output'] ?? parsed?.['content'];
  const text = inner === undefined ? contentText(raw, true) : contentText(inner, true);
  const code = objectOf(parsed?.['metadata'])?.['exit_code'] ?? /^(?:Exit code:|Process exited with code) (-?\d+)/m.exec(text.slice(0, 400))?.[1];
  const failed = parsed?.['success'] === false || (code !== undefined && Number(code) !== 0);
  return { text: text.replace(HEADER, '').trim(), failed };
}
