import type { Embedder, EmbeddingRole } from '../../../core/ports/embedding.ts';
import { type Result, refuse, ok } from '../../../core/result.ts';
import { OLLAMA_BASE } from '../chat/ollama.ts';
import { addressOf, publicAddress, checkedKey } from '../http/address.ts';
import { callJson, type RetryPolicy } from '../http/json.ts';
import { type EmbedEndpoint, inBatches, withRolePrefix, vectorsOf } from './vectors.ts';
import { isObject } from '../../../core/value.ts';
import { OPENAI_BASE, withVersion } from '../chat/openai.ts';
import type { Config } from '../../../core/config/effective.ts';
import { type InstalledModel, isInstalled } from './install.ts';
import { ThreadEmbedder } from './thread.ts';

/** Vectors from a model that an Ollama runs. */
export class OllamaEmbedder implements Embedder {
  readonly name: string;
  readonly local = false;
  readonly #endpoint: EmbedEndpoint;

  constructor(endpoint: EmbedEndpoint) {
    this.#endpoint = endpoint;
    this.name = `ollama:${endpoint.model}`;
  }

  async embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>> {
    const { endpoint, key, model, retryPolicy } = this.#endpoint;
    const url = addressOf({ setting: 'embed', endpoint, base: OLLAMA_BASE, path: 'api/embed', key });
    if (!url.ok) return url;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return inBatches(texts, async (batch) => {
      const body = { model, input: batch.map((text) => withRolePrefix(model, text, role)), truncate: true };
      const answer = await callJson({ setting: 'embed', method: 'POST', url: url.value, headers, body, key }, retryPolicy);
      if (!answer.ok) return answer;
      const vectors = answer.value['embeddings'];
      return vectorsOf(Array.isArray(vectors) ? vectors : [], batch.length, publicAddress(url.value));
    });
  }
}

/** Vectors from any endpoint that speaks OpenAI's embeddings. */
export class OpenAiEmbedder implements Embedder {
  readonly name: string;
  readonly local = false;
  readonly #endpoint: EmbedEndpoint;

  constructor(endpoint: EmbedEndpoint) {
    this.#endpoint = endpoint;
    this.name = `openai:${endpoint.model}`;
  }

  async embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>> {
    const { endpoint, key, model, retryPolicy } = this.#endpoint;
    if (key === undefined && endpoint === '') {
      return refuse('CONFIG_ERROR', 'The key for api.openai.com is missing.', { hint: 'set embed.keyVariable to the environment variable that holds it' });
    }
    const url = addressOf({ setting: 'embed', endpoint: withVersion(endpoint), base: OPENAI_BASE, path: 'embeddings', key });
    if (!url.ok) return url;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return inBatches(texts, async (batch) => {
      const body = { model, input: batch.map((text) => withRolePrefix(model, text, role)), encoding_format: 'float' };
      const answer = await callJson({ setting: 'embed', method: 'POST', url: url.value, headers, body, key }, retryPolicy);
      if (!answer.ok) return answer;
      const rows = Array.isArray(answer.value['data']) ? answer.value['data'].filter(isObject) : [];
      // The protocol numbers the vectors and does not promise their order.
      const ordered = rows.toSorted((a, b) => Number(a['index'] ?? 0) - Number(b['index'] ?? 0));
      return vectorsOf(
        ordered.map((row) => row['embedding']),
        batch.length,
        publicAddress(url.value),
      );
    });
  }
}

/** 64 vectors of 4,096 numbers take about 6 MB as JSON. */
const ANSWER_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

const DEFAULT_MODELS = { ollama: 'nomic-embed-text', openai: 'text-embedding-3-small' } as const;

/** The embedder that the settings name; undefined when search is by words alone. The key is what `embed.keyVariable` names. */
export function openEmbedder(
  config: Config,
  options: { readonly key?: string | undefined; readonly retryPolicy?: Partial<RetryPolicy>; readonly model: InstalledModel },
): Result<Embedder | undefined> {
  const provider = config.get('embed.provider');
  if (provider === 'none') return ok(undefined);
  if (provider === 'minilm') {
    if (isInstalled(options.model.folder)) return ok(new ThreadEmbedder(options.model));
    return refuse('CONFIG_ERROR', 'The sentence model is not installed, or its files are incomplete.', { hint: 'holdfast embed setup' });
  }
  const model = config.get('embed.model').trim() || DEFAULT_MODELS[provider];
  const key = checkedKey('embed', options.key);
  if (!key.ok) return key;
  const endpoint = {
    endpoint: config.get('embed.endpoint').trim(),
    model,
    key: key.value,
    retryPolicy: { timeoutMs: TIMEOUT_MS, limitBytes: ANSWER_BYTES, ...options.retryPolicy },
  };
  return ok(provider === 'ollama' ? new OllamaEmbedder(endpoint) : new OpenAiEmbedder(endpoint));
}
