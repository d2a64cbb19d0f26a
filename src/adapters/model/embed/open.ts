import type { Config } from '../../../core/config/effective.ts';
import type { Embedder } from '../../../core/ports/embedding.ts';
import { ok, type Result } from '../../../core/result.ts';
import { checkedKey } from '../http/address.ts';
import type { RetryPolicy } from '../http/json.ts';
import { OllamaEmbedder } from './ollama.ts';
import { OpenAiEmbedder } from './openai.ts';
import { TransformersEmbedder } from './transformers.ts';

/** 64 vectors of 4,096 numbers take about 6 MB as JSON. */
const ANSWER_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

const USUAL = { ollama: 'nomic-embed-text', openai: 'text-embedding-3-small', transformers: 'Xenova/all-MiniLM-L6-v2' } as const;

/** The embedder that the settings name; undefined when search is by words alone. The key is what `embed.keyVariable` names. */
export function openEmbedder(
  config: Config,
  given: { readonly key?: string | undefined; readonly patience?: Partial<RetryPolicy> } = {},
): Result<Embedder | undefined> {
  const provider = config.get('embed.provider');
  if (provider === 'none') return ok(undefined);
  const model = config.get('embed.model').trim() || USUAL[provider];
  if (provider === 'transformers') return ok(new TransformersEmbedder(model));
  const key = checkedKey('embed', given.key);
  if (!key.ok) return key;
  const at = {
    endpoint: config.get('embed.endpoint').trim(),
    model,
    key: key.value,
    patience: { timeoutMs: TIMEOUT_MS, limitBytes: ANSWER_BYTES, ...given.patience },
  };
  return ok(provider === 'ollama' ? new OllamaEmbedder(at) : new OpenAiEmbedder(at));
}
