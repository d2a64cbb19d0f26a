import type { Json } from '../../../core/value.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelRefusal } from '../../../core/ports/model.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { publicAddress, type Setting } from './address.ts';
import { isCertificate, refusalOf } from './refusal.ts';
import { send, type HttpRequest, type HttpOutcome } from './send.ts';

export interface RetryPolicy {
  /** For the whole call, its repetitions and pauses included. */
  readonly timeoutMs: number;
  readonly limitBytes: number;
  readonly tries?: number;
  readonly firstPauseMs?: number;
}

export interface JsonCall extends HttpRequest {
  readonly setting: Setting;
  readonly key?: string | undefined;
}

/** A refusal that also says with which status it came, for callers that can ask otherwise. */
export type HttpRefusal = ModelRefusal & { readonly status?: number };

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Whether the same request may fare better in a while. A timeout is not repeated: the time is used up. */
const isPassing = (outcome: HttpOutcome): boolean =>
  (outcome.kind === 'status' && (outcome.status === 408 || outcome.status === 429 || outcome.status >= 500)) ||
  (outcome.kind === 'network' && !isCertificate(outcome.code));

/** Doubles each time and is spread out, so that many clients do not come back at once; what the other side asks for comes first. */
const pauseAfter = (outcome: HttpOutcome, tries: number, firstMs: number): number =>
  outcome.kind === 'status' && outcome.waitMs !== undefined
    ? outcome.waitMs
    : Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2));

/** Asks for JSON over HTTP: patiently with what passes, never longer or larger than it may be, never with a key in its words. */
export async function callJson(call: JsonCall, patience: RetryPolicy): Promise<Result<Json, HttpRefusal>> {
  const { timeoutMs, limitBytes, tries: most = TRIES, firstPauseMs = FIRST_PAUSE_MS } = patience;
  const asked = { setting: call.setting, url: call.url, key: call.key, timeoutMs, limitBytes };
  const deadline = Date.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    const outcome = await send(call, { timeoutMs: deadline - Date.now(), bytes: limitBytes });
    if (outcome.kind === 'answer') return parsed(outcome.text, call);
    const wait = pauseAfter(outcome, tries, firstPauseMs);
    if (!isPassing(outcome) || tries >= most || Date.now() + wait >= deadline) {
      return err({ ...refusalOf(outcome, tries, asked), ...(outcome.kind === 'status' && { status: outcome.status }) });
    }
    await pause(wait);
  }
}

function parsed(text: string, { url }: JsonCall): Result<Json, HttpRefusal> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return ok(value as Json);
  } catch {
    return err(strange(url, 'what is not JSON'));
  }
  return err(strange(url, 'JSON that is no object'));
}

/** An answer that is there but is not what the protocol says. */
export const strange = (url: URL, what: string): ModelRefusal => ({
  code: 'MODEL_ERROR',
  message: `${publicAddress(url)} answered with ${what}`,
  hint: 'check that the endpoint speaks the protocol it is set up for',
  maybeSpent: true,
});
