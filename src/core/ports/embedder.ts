import type { Result } from '../result.ts';

/** Some models embed a question otherwise than what answers it. */
export type EmbeddingRole = 'query' | 'passage';

/** Turns texts into vectors of length one. */
export interface Embedder {
  /** Provider and model, such as `ollama:nomic-embed-text`: vectors of different names are never compared. */
  readonly name: string;
  /** Runs in this process, without a network: the only kind that may stand on a hook's path. */
  readonly local: boolean;
  /** One vector for each text, in order, all of the same size. */
  embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>>;
}
