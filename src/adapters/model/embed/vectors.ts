import { refuse, ok, type Result } from '../../../core/result.ts';
import type { RetryPolicy } from '../http/json.ts';

/** Texts in one request: larger requests gain little and fail as a whole. */
const BATCH = 64;
/** Characters of a text that are embedded: most models ignore the rest. */
const LONGEST = 8000;

/** Prefixes for questions and passages of the models that were trained with them; others get the plain text. */
const PREFIXES: readonly (readonly [RegExp, query: string, passage: string])[] = [
  [/nomic-embed/i, 'search_query: ', 'search_document: '],
  [/(?:^|[^a-z])e5-/i, 'query: ', 'passage: '],
  [/embeddinggemma/i, 'task: search result | query: ', 'title: none | text: '],
  [/mxbai-embed|snowflake-arctic-embed|bge-(?:small|base|large)-en/i, 'Represent this sentence for searching relevant passages: ', ''],
];

/** A text with the prefix that the model expects for its role, cut to the longest that is embedded. */
export function withRolePrefix(model: string, text: string, role: 'query' | 'passage'): string {
  const [, query = '', passage = ''] = PREFIXES.find(([pattern]) => pattern.test(model)) ?? [];
  return `${role === 'query' ? query : passage}${text.slice(0, LONGEST)}`;
}

function unit(values: readonly number[] | Float32Array): Float32Array | undefined {
  const vector = Float32Array.from(values);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : undefined;
}

/** The provider's answer as vectors of length one; refused unless there is one for each text and all have the same size. */
export function vectorsOf(answer: readonly unknown[], count: number, place: string): Result<readonly Float32Array[]> {
  const vectors = answer.flatMap((values) => (Array.isArray(values) || values instanceof Float32Array ? (unit(values as readonly number[]) ?? []) : []));
  const size = vectors[0]?.length ?? 0;
  if (vectors.length === count && answer.length === count && vectors.every((vector) => vector.length === size)) return ok(vectors);
  return refuse('MODEL_ERROR', `${place} answered with ${vectors.length} vectors to ${count} texts, or with vectors of different sizes`, {
    hint: 'check that embed.model names an embedding model',
  });
}

/** Asks for vectors a batch at a time. */
export async function inBatches(
  texts: readonly string[],
  ask: (batch: readonly string[]) => Promise<Result<readonly Float32Array[]>>,
): Promise<Result<readonly Float32Array[]>> {
  const all: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += BATCH) {
    const vectors = await ask(texts.slice(at, at + BATCH));
    if (!vectors.ok) return vectors;
    all.push(...vectors.value);
  }
  return ok(all);
}

export interface EmbedEndpoint {
  /** Empty means the provider's own address. */
  readonly endpoint: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly retryPolicy: RetryPolicy;
}
