import type { Completion, Model, ModelRefusal, ModelRequest } from '../../../core/ports/model.ts';
import { err, ok, refuse, type Result } from '../../../core/result.ts';
import { addressOf } from '../http/address.ts';
import { callJson, unexpectedAnswer } from '../http/json.ts';
import { type Json, isObject } from '../../../core/value.ts';
import { FAMILIES, objectIn, usageOf, type ChatEndpoint } from './endpoint.ts';

const BASE = 'https://api.anthropic.com';
const VERSION = '2023-06-01';
const INPUTS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

/** Claude over the Messages API. */
export class AnthropicModel implements Model {
  readonly #endpoint: ChatEndpoint;
  readonly #families = new Map<string, Promise<Result<string, ModelRefusal>>>();

  constructor(endpoint: ChatEndpoint) {
    this.#endpoint = endpoint;
  }

  async complete(request: ModelRequest): Promise<Result<Completion, ModelRefusal>> {
    const { endpoint, key, retryPolicy } = this.#endpoint;
    if (key === undefined && endpoint === '') {
      return refuse('CONFIG_ERROR', 'The key for api.anthropic.com is missing.', { hint: 'set model.keyVariable to the environment variable that holds it' });
    }
    const url = this.#address('v1/messages');
    if (!url.ok) return url;
    const model = await this.#idOf(request.model);
    if (!model.ok) return model;
    const body = { model: model.value, max_tokens: request.maxTokens, system: request.system, messages: [{ role: 'user', content: request.prompt }] };
    const answer = await callJson({ setting: 'model', method: 'POST', url: url.value, headers: this.#headers(), body, key }, retryPolicy);
    return answer.ok ? completionOf(answer.value, request, url.value) : answer;
  }

  #address(path: string): Result<URL> {
    return addressOf({ setting: 'model', endpoint: this.#endpoint.endpoint, base: BASE, path, key: this.#endpoint.key });
  }

  #headers(): Record<string, string> {
    const { key } = this.#endpoint;
    return { 'anthropic-version': VERSION, ...(key !== undefined && { 'x-api-key': key }) };
  }

  /** The newest model of a family at the endpoint: model names in the source would become outdated. */
  async #idOf(model: string): Promise<Result<string, ModelRefusal>> {
    if (!FAMILIES.includes(model)) return ok(model);
    const newest = this.#families.get(model) ?? this.#newest(model);
    this.#families.set(model, newest);
    const id = await newest;
    if (!id.ok) this.#families.delete(model);
    return id;
  }

  async #newest(family: string): Promise<Result<string, ModelRefusal>> {
    const url = this.#address('v1/models');
    if (!url.ok) return url;
    url.value.searchParams.set('limit', '1000');
    const call = { setting: 'model', method: 'GET', url: url.value, headers: this.#headers(), key: this.#endpoint.key } as const;
    const answer = await callJson(call, this.#endpoint.retryPolicy);
    const models = answer.ok && Array.isArray(answer.value['data']) ? answer.value['data'].filter(isObject) : [];
    const ids = models
      .map(({ id, created_at: createdAt }) => ({ id: String(id), createdAt: String(createdAt) }))
      .filter(({ id }) => id.includes(family))
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    if (ids[0]) return ok(ids[0].id);
    if (!answer.ok && answer.error.status !== 404) return answer;
    return refuse('CONFIG_ERROR', `The endpoint offers no ${family} model.`, { hint: 'holdfast config set model.name NAME' });
  }
}

function completionOf(answer: Json, request: ModelRequest, url: URL): Result<Completion, ModelRefusal> {
  const blocks = Array.isArray(answer['content']) ? answer['content'].filter(isObject) : [];
  const text = blocks.flatMap(({ type, text: words }) => (type === 'text' && typeof words === 'string' ? [words] : [])).join('');
  if (text === '') return err(unexpectedAnswer(url, answer['stop_reason'] === 'refusal' ? 'a refusal by the model' : 'no text'));
  const usage = usageOf(objectIn(answer, 'usage'), INPUTS, 'output_tokens', request, text);
  return ok({ text, usage, ...(answer['stop_reason'] === 'max_tokens' && { cut: true }) });
}
