import { randomUUID } from 'node:crypto';
import type { Step, Turn } from './script.ts';

/** The Anthropic Messages protocol: what a client asks, and how a step answers it. */

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
  readonly name?: string;
  readonly input?: unknown;
}

export interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly Block[];
}

export interface MessagesBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly system?: string | readonly Block[];
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name: string; readonly description?: string }[];
}

const blocksOf = (content: string | readonly Block[] | undefined): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
/** A hook that continues a turn asks for something; every other reminder is not a prompt. */
const withoutReminders = (text: string): string => text.replaceAll(REMINDER, (reminder) => (/Stop hook additional context:/.test(reminder) ? reminder : ''));

/** The texts of a message without the client's reminders. Beside a tool result they are not a prompt, unless they ask for a summary. */
const wordsOf = (message: Message): string => {
  const blocks = blocksOf(message.content);
  return blocks
    .filter((block) => block.type === 'text')
    .map((block) => withoutReminders(block.text ?? ''))
    .join('\n')
    .trim();
};

const bringsResult = (message: Message): boolean => blocksOf(message.content).some((block) => block.type === 'tool_result');

export const turnsOf = (body: MessagesBody): readonly Turn[] =>
  body.messages.flatMap((message, at, all) => {
    if (message.role === 'system') return [];
    const last = at === all.length - 1;
    return [{ role: message.role, words: bringsResult(message) && !(last && /summary of/i.test(wordsOf(message))) ? '' : wordsOf(message) }];
  });

const flat = (blocks: readonly Block[]): string =>
  blocks.map((block) => block.text ?? (block.type === 'tool_use' ? JSON.stringify(block.input) : flat(blocksOf(block.content)))).join('\n');

/** All that the model was told in the messages, reminders and tool results included. */
export const messagesText = (body: MessagesBody): string => body.messages.map((message) => flat(blocksOf(message.content))).join('\n');

export const systemText = (body: MessagesBody): string => flat(blocksOf(body.system));

const id = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / 4);

const answerOf = (body: MessagesBody, step: Step) => {
  const content = [
    ...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]),
    ...(step.calls ?? []).map((call) => ({ type: 'tool_use', id: id('toolu'), name: call.tool, input: call.input })),
  ];
  const usage = {
    input_tokens: step.usage?.input_tokens ?? tokens([body.system, body.messages, body.tools]),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: tokens(content),
  };
  return {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason: step.calls ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage,
  };
};

/** A whole answer, for a client that does not stream. */
export const plainAnswer = (body: MessagesBody, step: Step): string => JSON.stringify(answerOf(body, step));

/** The same answer as server-sent events. */
export const streamedAnswer = (body: MessagesBody, step: Step): string => {
  const { content, stop_reason, stop_sequence, usage, ...message } = answerOf(body, step);
  const events: { readonly type: string; readonly [field: string]: unknown }[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } } },
  ];
  for (const [index, block] of content.entries()) {
    const whole = 'text' in block;
    const delta = whole ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    events.push(
      { type: 'content_block_start', index, content_block: whole ? { type: 'text', text: '' } : { ...block, input: {} } },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    );
  }
  events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage }, { type: 'message_stop' });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
};
