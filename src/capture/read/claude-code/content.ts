import type { ToolCall } from '../../../core/episode.ts';
import { stripInjected } from '../../../core/injected.ts';
import { argumentsOf, describeCall } from '../call.ts';
import { type Json, listOf, objectOf, stringOf, contentText } from '../value.ts';
import { withoutAdded } from './prompt.ts';

export interface AssistantContent {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
}

/** What an assistant record says. Thinking may be empty but signed; then there is none. */
export function assistantContent(content: unknown, inputLimit: number): AssistantContent {
  if (typeof content === 'string') return { text: stripInjected(content).trim(), thinking: '', calls: [] };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: ToolCall[] = [];
  for (const entry of listOf(content)) {
    const block = objectOf(entry);
    const type = block?.['type'];
    if (type === 'text') texts.push(stripInjected(contentText(block)).trim());
    else if (type === 'thinking') thoughts.push(stripInjected(stringOf(block?.['thinking']) ?? '').trim());
    else if (type === 'tool_use' || type === 'server_tool_use') calls.push(callOf(block, calls.length, inputLimit));
  }
  return { text: joined(texts), thinking: joined(thoughts), calls };
}

const callOf = (block: Json | undefined, place: number, limit: number): ToolCall =>
  describeCall(stringOf(block?.['id']) ?? `call-${place}`, stringOf(block?.['name']) ?? 'unknown', block?.['input'], limit);

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

/** Terminal colours and cursor moves. */
const ESCAPE_SEQUENCE = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** What a tool answered, without what the client added to it. */
export function answerText(content: unknown): string {
  const text = withoutAdded(contentText(content, true));
  return (text.includes('\u001b[') ? text.replace(ESCAPE_SEQUENCE, '') : text).trim();
}

/** The client's own copy of a result, for records whose answer is empty. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return answerText(result);
  const fields = objectOf(result);
  const parts = ['stdout', 'stderr', 'content', 'error', 'message', 'result'].map((field) => answerText(fields?.[field]));
  return joined(parts);
}

/** A tool's record of its own, as some other writers of this format have it. */
export function toolRecord(message: Json, id: string, inputLimit: number): { readonly text: string; readonly call?: ToolCall; readonly failed: boolean } {
  const name = stringOf(message['tool_name']);
  const text = answerText(message['tool_output'] ?? message['content']);
  const failed = message['status'] === 'error' || message['is_error'] === true;
  return { text, failed, ...(name === undefined ? {} : { call: describeCall(id, name, argumentsOf(message['tool_input']), inputLimit) }) };
}
