import { estimateTokens } from '../../../core/budget/token-ledger.ts';
import type { Completion, Model, ModelRefusal, ModelRequest } from '../../../core/ports/model.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { addressOf } from '../http/address.ts';
import { callJson, unexpectedAnswer } from '../http/json.ts';
import type { Json } from '../../../core/value.ts';
import { refuseFamily, objectIn, usageOf, type ChatEndpoint } from './endpoint.ts';

export const OLLAMA_BASE = 'http://127.0.0.1:11434';
const CONTEXT_STEP = 2048;

/** A model that an Ollama runs. */
export class OllamaModel implements Model {
  readonly #endpoint: ChatEndpoint;

  constructor(endpoint: ChatEndpoint) {
    this.#endpoint = endpoint;
  }

  async complete(request: ModelRequest): Promise<Result<Completion, ModelRefusal>> {
    const { endpoint, key, retryPolicy } = this.#endpoint;
    const refusal = refuseFamily(request.model, 'ollama');
    if (refusal) return refusal;
    const url = addressOf({ setting: 'model', endpoint, base: OLLAMA_BASE, path: 'api/chat', key });
    if (!url.ok) return url;
    const body = {
      model: request.model,
      stream: false,
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: request.prompt },
      ],
      options: { num_predict: request.maxTokens, num_ctx: contextFor(request) },
      ...(request.json === true && { format: 'json' }),
    };
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await callJson({ setting: 'model', method: 'POST', url: url.value, headers, body, key }, retryPolicy);
    return answer.ok ? completionOf(answer.value, request, url.value) : answer;
  }
}

/** Room for prompt and answer: with its small default, Ollama silently drops the start of a long prompt. */
function contextFor({ system, prompt, maxTokens }: ModelRequest): number {
  const needed = estimateTokens(system) + estimateTokens(prompt) + maxTokens;
  return Math.ceil(needed / CONTEXT_STEP) * CONTEXT_STEP;
}

function completionOf(answer: Json, request: ModelRequest, url: URL): Result<Completion, ModelRefusal> {
  const text = objectIn(answer, 'message')['content'];
  if (typeof text !== 'string' || text === '') return err(unexpectedAnswer(url, 'no text'));
  const usage = usageOf(answer, ['prompt_eval_count'], 'eval_count', request, text);
  return ok({ text, usage, ...(answer['done_reason'] === 'length' && { cut: true }) });
}
