import type { Embedder, EmbeddingRole } from '../../../core/ports/embedding.ts';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { inBatches, prepared, vectorsOf } from './vectors.ts';

/** The part of transformers.js that is used. */
export interface Transformers {
  pipeline(task: 'feature-extraction', model: string, options: { readonly dtype: string }): Promise<Extractor>;
}

type Extractor = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: boolean },
) => Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>;

const PACKAGE = '@huggingface/transformers';

/** By name and when needed: it weighs hundreds of megabytes, so those who want it install it beside Holdfast. */
const loadPackage = async (): Promise<Transformers> => (await import(PACKAGE)) as Transformers;

const causeOf = (cause: unknown): string => (cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)).slice(0, 240);

/** Vectors made in this process by transformers.js. */
export class TransformersEmbedder implements Embedder {
  readonly name: string;
  readonly local = true;
  readonly #model: string;
  readonly #load: () => Promise<Transformers>;
  #extractor: Promise<Result<Extractor>> | undefined;

  constructor(model: string, load: () => Promise<Transformers> = loadPackage) {
    this.name = `transformers:${model}`;
    this.#model = model;
    this.#load = load;
  }

  async embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>> {
    const extractor = await (this.#extractor ??= this.#open());
    if (!extractor.ok) return extractor;
    return inBatches(texts, async (batch) => {
      try {
        const prompts = batch.map((text) => prepared(this.#model, text, role));
        const { dims, data } = await extractor.value(prompts, { pooling: 'mean', normalize: true });
        const size = dims.at(-1) ?? 0;
        const rows = Array.from({ length: size === 0 ? 0 : data.length / size }, (_, row) => data.slice(row * size, (row + 1) * size));
        return vectorsOf(rows, batch.length, this.name);
      } catch (cause) {
        return refuse('MODEL_ERROR', `${this.name} failed: ${causeOf(cause)}`);
      }
    });
  }

  async #open(): Promise<Result<Extractor>> {
    let library: Transformers;
    try {
      library = await this.#load();
    } catch (cause) {
      return refuse('CONFIG_ERROR', `transformers.js is not installed (${causeOf(cause)})`, {
        hint: `npm install -g ${PACKAGE}, beside holdfast, or another embed.provider`,
      });
    }
    try {
      return ok(await library.pipeline('feature-extraction', this.#model, { dtype: 'q8' }));
    } catch (cause) {
      return refuse('MODEL_ERROR', `transformers.js cannot load ${this.#model}: ${causeOf(cause)}`, { hint: 'check embed.model; the first use downloads it' });
    }
  }
}
