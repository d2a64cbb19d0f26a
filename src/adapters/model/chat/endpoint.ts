import { isObject, type Json } from '../../../core/value.ts';
import { estimateTokens } from '../../../core/budget/token-ledger.ts';
import type { ModelRequest, Usage } from '../../../core/ports/model.ts';
import { refuse, type Result } from '../../../core/result.ts';
import type { RetryPolicy } from '../http/json.ts';

/** The address of a model, the key that the composition root read, and how long to wait. */
export interface ChatEndpoint {
  /** Empty means the protocol's own address. */
  readonly endpoint: string;
  readonly key?: string | undefined;
  readonly retryPolicy: RetryPolicy;
}

/** Names of Claude's model families, which other providers do not know. */
export const FAMILIES = ['haiku', 'sonnet', 'opus'];

/** Refuses a missing name or a family of Claude, which the default settings name: another provider needs the name of a model. */
export function refuseFamily(model: string, protocol: string): Result<never> | undefined {
  if (model !== '' && !FAMILIES.includes(model)) return undefined;
  return refuse('CONFIG_ERROR', model === '' ? 'model.name is empty' : `${JSON.stringify(model)} is not a model of an endpoint that speaks ${protocol}`, {
    hint: 'holdfast config set model.name NAME',
  });
}

export const objectIn = (value: unknown, key: string): Json => (isObject(value) && isObject(value[key]) ? value[key] : {});
const countIn = (value: Json, key: string): number | undefined => (typeof value[key] === 'number' && value[key] >= 0 ? value[key] : undefined);

/** Sums the counts that a provider reports under several names; estimates them if it reports none. */
export function usageOf(counts: Json, inputs: readonly string[], output: string, request: ModelRequest, text: string): Usage {
  const known = inputs.map((key) => countIn(counts, key)).filter((count) => count !== undefined);
  const out = countIn(counts, output);
  if (known.length > 0 && out !== undefined) return { input: known.reduce((sum, count) => sum + count, 0), output: out };
  return { input: estimateTokens(request.system) + estimateTokens(request.prompt), output: estimateTokens(text), estimated: true };
}
