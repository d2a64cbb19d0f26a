import type { Completion, Model, ModelRefusal, ModelRequest } from '../../../core/ports/model.ts';
import { err, ok, refuse, type Result } from '../../../core/result.ts';
import { addressOf } from '../http/address.ts';
import { callJson, unexpectedAnswer, type HttpRefusal } from '../http/json.ts';
import { type Json, isObject } from '../../../core/value.ts';
import { refuseFamily, objectIn, usageOf, type ChatEndpoint } from './endpoint.ts';

export const OPENAI_BASE = 'https://api.openai.com/v1';

/** An endpoint without a path is taken to have the usual one. */
export const withVersion = (endpoint: string): string =>
  /^https?:\/\/[^/]+\/?$/i.test(endpoint.trim()) ? `${endpoint.trim().replace(/\/$/, '')}/v1` : endpoint;

/** Any endpoint that speaks OpenAI's chat completions. */
export class OpenAiModel implements Model {
  readonly #endpoint: ChatEndpoint;

  constructor(endpoint: ChatEndpoint) {
    this.#endpoint = endpoint;
  }

  async complete(request: ModelRequest): Promise<Result<Completion, ModelRefusal>> {
    const { endpoint, key } = this.#endpoint;
    const refusal = refuseFamily(request.model, 'openai');
    if (refusal) return refusal;
    if (key === undefined && endpoint === '') {
      return refuse('CONFIG_ERROR', 'The key for api.openai.com is missing.', { hint: 'set model.keyVariable to the environment variable that holds it' });
    }
    const url = addressOf({ setting: 'model', endpoint: withVersion(endpoint), base: OPENAI_BASE, path: 'chat/completions', key });
    if (!url.ok) return url;
    const first = await this.#ask(url.value, request, request.json === true);
    // Not every server knows the JSON mode; the prompt asks for JSON in any case.
    const isRefused = !first.ok && (first.error.status === 400 || first.error.status === 422);
    const answer = isRefused && request.json === true ? await this.#ask(url.value, request, false) : first;
    return answer.ok ? completionOf(answer.value, request, url.value) : answer;
  }

  #ask(url: URL, request: ModelRequest, json: boolean): Promise<Result<Json, HttpRefusal>> {
    const { key, retryPolicy } = this.#endpoint;
    // OpenAI itself has renamed the limit, and its newer models refuse the old name; other servers know only that one.
    const limit = url.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
    const body = {
      model: request.model,
      [limit]: request.maxTokens,
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: request.prompt },
      ],
      ...(json && { response_format: { type: 'json_object' } }),
    };
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return callJson({ setting: 'model', method: 'POST', url, headers, body, key }, retryPolicy);
  }
}

function completionOf(answer: Json, request: ModelRequest, url: URL): Result<Completion, ModelRefusal> {
  const choices = Array.isArray(answer['choices']) ? answer['choices'].filter(isObject) : [];
  const text = objectIn(choices[0], 'message')['content'];
  if (typeof text !== 'string' || text === '') return err(unexpectedAnswer(url, 'no text'));
  const usage = usageOf(objectIn(answer, 'usage'), ['prompt_tokens'], 'completion_tokens', request, text);
  return ok({ text, usage, ...(choices[0]?.['finish_reason'] === 'length' && { cut: true }) });
}
