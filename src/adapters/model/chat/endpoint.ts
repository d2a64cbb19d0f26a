import { isObject, type Json } from '../../../core/value.ts';
import { estimateTokens } from '../../../core/budget/token-ledger.ts';
import type { ModelRequest, Usage } from '../../../core/ports/model.ts';
import { refuse, type Result } from '../../../core/result.ts';
import type { RetryPolicy } from '../http/json.ts';

/** Where a model is asked: the address, the key that the composition root read, and how long to wait. */
export interface ChatEndpoint {
  /** Empty means the protocol's own address. */
  readonly endpoint: string;
  readonly key?: string | undefined;
  readonly patience: RetryPolicy;
}

/** Families that Claude Code knows by a word; other providers do not. */
export const FAMILIES = ['haiku', 'sonnet', 'opus'];

/** The default settings name Claude's families, so another provider needs a model's name. */
export function foreignFamily(model: string, protocol: string): Result<never> | undefined {
  if (model !== '' && !FAMILIES.includes(model)) return undefined;
  return refuse('CONFIG_ERROR', model === '' ? 'no model is named' : `${JSON.stringify(model)} is not a model of an endpoint that speaks ${protocol}`, {
    hint: 'holdfast config set model.name NAME',
  });
}

export const objectIn = (value: unknown, key: string): Json => (isObject(value) && isObject(value[key]) ? value[key] : {});
const countIn = (value: Json, key: string): number | undefined => (typeof value[key] === 'number' && value[key] >= 0 ? value[key] : undefined);

/** Sums the counts that a provider gives under several names; guesses where it gives none. */
export function usageOf(counts: Json, inputs: readonly string[], output: string, request: ModelRequest, text: string): Usage {
  const given = inputs.map((key) => countIn(counts, key)).filter((count) => count !== undefined);
  const out = countIn(counts, output);
  if (given.length > 0 && out !== undefined) return { input: given.reduce((sum, count) => sum + count, 0), output: out };
  return { input: estimateTokens(request.system) + estimateTokens(request.prompt), output: estimateTokens(text), estimated: true };
}
