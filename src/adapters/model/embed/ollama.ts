import type { Embedder, EmbeddingRole } from '../../../core/ports/embedding.ts';
import type { Result } from '../../../core/result.ts';
import { OLLAMA_BASE } from '../chat/ollama.ts';
import { addressOf, publicAddress } from '../http/address.ts';
import { callJson } from '../http/json.ts';
import { type EmbedEndpoint, inBatches, prepared, vectorsOf } from './vectors.ts';

/** Vectors from a model that an Ollama runs. */
export class OllamaEmbedder implements Embedder {
  readonly name: string;
  readonly local = false;
  readonly #at: EmbedEndpoint;

  constructor(at: EmbedEndpoint) {
    this.#at = at;
    this.name = `ollama:${at.model}`;
  }

  async embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>> {
    const { endpoint, key, model, patience } = this.#at;
    const url = addressOf({ setting: 'embed', endpoint, base: OLLAMA_BASE, path: 'api/embed', key });
    if (!url.ok) return url;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return inBatches(texts, async (batch) => {
      const body = { model, input: batch.map((text) => prepared(model, text, role)), truncate: true };
      const answer = await callJson({ setting: 'embed', method: 'POST', url: url.value, headers, body, key }, patience);
      if (!answer.ok) return answer;
      const given = answer.value['embeddings'];
      return vectorsOf(Array.isArray(given) ? given : [], batch.length, publicAddress(url.value));
    });
  }
}
