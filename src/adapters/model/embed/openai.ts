import type { Embedder, EmbeddingRole } from '../../../core/ports/embedding.ts';
import { refuse, type Result } from '../../../core/result.ts';
import { isObject } from '../../../core/value.ts';
import { OPENAI_BASE, withVersion } from '../chat/openai.ts';
import { addressOf, publicAddress } from '../http/address.ts';
import { callJson } from '../http/json.ts';
import { type EmbedEndpoint, inBatches, prepared, vectorsOf } from './vectors.ts';

/** Vectors from any endpoint that speaks OpenAI's embeddings. */
export class OpenAiEmbedder implements Embedder {
  readonly name: string;
  readonly local = false;
  readonly #at: EmbedEndpoint;

  constructor(at: EmbedEndpoint) {
    this.#at = at;
    this.name = `openai:${at.model}`;
  }

  async embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>> {
    const { endpoint, key, model, patience } = this.#at;
    if (key === undefined && endpoint === '') {
      return refuse('CONFIG_ERROR', 'The key for api.openai.com is missing.', { hint: 'set embed.keyVariable to the environment variable that holds it' });
    }
    const url = addressOf({ setting: 'embed', endpoint: withVersion(endpoint), base: OPENAI_BASE, path: 'embeddings', key });
    if (!url.ok) return url;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return inBatches(texts, async (batch) => {
      const body = { model, input: batch.map((text) => prepared(model, text, role)), encoding_format: 'float' };
      const answer = await callJson({ setting: 'embed', method: 'POST', url: url.value, headers, body, key }, patience);
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
