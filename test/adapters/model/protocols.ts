import { AnthropicModel } from '../../../src/adapters/model/chat/anthropic.ts';
import type { ChatEndpoint } from '../../../src/adapters/model/chat/endpoint.ts';
import { OllamaModel } from '../../../src/adapters/model/chat/ollama.ts';
import { OpenAiModel } from '../../../src/adapters/model/chat/openai.ts';
import type { Model } from '../../../src/core/ports/model.ts';

/** Each protocol as its server sees it: the path, and the form of an answer. */
export interface Protocol {
  readonly name: 'anthropic' | 'openai' | 'ollama';
  readonly path: string;
  open(at: ChatEndpoint): Model;
  says(text: string, input?: number, output?: number, cut?: boolean): object;
}

export const PROTOCOLS: readonly Protocol[] = [
  {
    name: 'anthropic',
    path: '/v1/messages',
    open: (at) => new AnthropicModel(at),
    says: (text, input = 10, output = 5, cut = false) => ({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: cut ? 'max_tokens' : 'end_turn',
      usage: { input_tokens: input - 3, cache_creation_input_tokens: 1, cache_read_input_tokens: 2, output_tokens: output },
    }),
  },
  {
    name: 'openai',
    path: '/v1/chat/completions',
    open: (at) => new OpenAiModel(at),
    says: (text, input = 10, output = 5, cut = false) => ({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: cut ? 'length' : 'stop' }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  },
  {
    name: 'ollama',
    path: '/api/chat',
    open: (at) => new OllamaModel(at),
    says: (text, input = 10, output = 5, cut = false) => ({
      message: { role: 'assistant', content: text },
      done: true,
      done_reason: cut ? 'length' : 'stop',
      prompt_eval_count: input,
      eval_count: output,
    }),
  },
];
