import type { ModelRefusal } from '../../../core/ports/model.ts';
import { redact } from '../../../core/redact/text.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import type { Json } from '../../../core/value.ts';
import { publicAddress, type Setting } from './address.ts';
import { send, type HttpRequest, type HttpOutcome } from './send.ts';
import { setTimeout as pause } from 'node:timers/promises';

export interface HttpAttempt {
  readonly setting: Setting;
  readonly url: URL;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  readonly limitBytes: number;
}

type Status = Extract<HttpOutcome, { kind: 'status' }>;

const LONGEST = 240;

/** The server's error text made safe to show: on one line, short, without the key in any form. */
function errorText(text: string, key: string | undefined): string {
  let words = text;
  try {
    const { error, message } = JSON.parse(text) as { readonly error?: unknown; readonly message?: unknown };
    const inner = error !== null && typeof error === 'object' && 'message' in error ? error.message : (error ?? message);
    if (typeof inner === 'string') words = inner;
  } catch {
    words = text;
  }
  const keyless = key === undefined ? words : words.replaceAll(key, '[key]');
  const line = redact(keyless)
    .text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Errors before the request was sent: no tokens can have been charged. */
const UNSENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|\w*CERT\w*|ERR_TLS\w*)$/;
const isCertificate = (code: string): boolean => /CERT|ERR_TLS/.test(code);

const quoted = (words: string): string => (words === '' ? '' : `: ${words}`);

function statusRefusal({ status, text, waitMs }: Status, tries: number, { setting, url, key }: HttpAttempt): ModelRefusal {
  const [place, words] = [publicAddress(url), errorText(text, key)];
  if (status === 401 || status === 403) {
    // Leaves out the provider's words, which often repeat the refused key.
    return key === undefined
      ? { code: 'MODEL_ERROR', message: `${place} requires a key (${status})`, hint: `name the environment variable that holds it in ${setting}.keyVariable` }
      : { code: 'MODEL_ERROR', message: `${place} refused the key (${status})`, hint: `check the variable that ${setting}.keyVariable names` };
  }
  if (status === 404) {
    return {
      code: 'MODEL_ERROR',
      message: `${place} answered 404${quoted(words)}`,
      hint: `check ${setting}.endpoint and the model's name (${setting === 'model' ? 'model.name' : 'embed.model'})`,
    };
  }
  const times = tries > 1 ? ` after ${tries} tries` : '';
  const hint = waitMs === undefined ? 'try again later' : `try again in ${Math.ceil(waitMs / 1000)} s`;
  if (status === 429) return { code: 'MODEL_ERROR', message: `${place} refused for now: too many requests (429)${times}${quoted(words)}`, hint };
  if (status >= 500) return { code: 'MODEL_ERROR', message: `${place} failed (${status})${times}${quoted(words)}`, hint };
  return { code: 'MODEL_ERROR', message: `${place} refused the request (${status})${quoted(words)}`, hint: `check the settings ${setting}.*` };
}

/** A failed request in words: what happened, where, and what to do next. */
function refusalOf(outcome: Exclude<HttpOutcome, { kind: 'answer' }>, tries: number, attempt: HttpAttempt): ModelRefusal {
  const { setting, url, timeoutMs, limitBytes } = attempt;
  const place = publicAddress(url);
  switch (outcome.kind) {
    case 'status':
      return statusRefusal(outcome, tries, attempt);
    case 'redirect':
      return {
        code: 'MODEL_ERROR',
        message: `${place} answered with a redirect (${outcome.status}), which is not followed`,
        hint: `name the final address in ${setting}.endpoint`,
      };
    case 'too-large':
      return { code: 'MODEL_ERROR', message: `the answer of ${place} is larger than ${limitBytes} bytes`, maybeSpent: true };
    case 'timeout':
      return {
        code: 'MODEL_ERROR',
        message: `${place} did not answer within ${Math.round(timeoutMs / 100) / 10} s`,
        ...(setting === 'model' && { hint: 'raise model.timeoutSeconds' }),
        maybeSpent: true,
      };
    case 'network': {
      const local = outcome.code === 'ECONNREFUSED';
      return {
        code: 'MODEL_ERROR',
        message: `${place} cannot be reached (${outcome.code})${tries > 1 ? ` after ${tries} tries` : ''}`,
        hint: local ? `nothing listens on that port: start the server, or change ${setting}.endpoint` : 'check the network and the address',
        ...(!UNSENT.test(outcome.code) && { maybeSpent: true }),
      };
    }
  }
}

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

/** A refusal with its HTTP status, for callers that can send another request. */
export type HttpRefusal = ModelRefusal & { readonly status?: number };

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Whether the same request may succeed later. A timeout is not repeated, because the time is used up. */
const isTransient = (outcome: HttpOutcome): boolean =>
  (outcome.kind === 'status' && (outcome.status === 408 || outcome.status === 429 || outcome.status >= 500)) ||
  (outcome.kind === 'network' && !isCertificate(outcome.code));

/** The pause that the server asks for, or else one that doubles each time, with jitter so that many clients do not return at once. */
const pauseAfter = (outcome: HttpOutcome, tries: number, firstMs: number): number =>
  outcome.kind === 'status' && outcome.waitMs !== undefined
    ? outcome.waitMs
    : Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2));

/** Requests JSON over HTTP: repeats transient failures, within limits of time and size, and never puts a key into a message. */
export async function callJson(call: JsonCall, retryPolicy: RetryPolicy): Promise<Result<Json, HttpRefusal>> {
  const { timeoutMs, limitBytes, tries: most = TRIES, firstPauseMs = FIRST_PAUSE_MS } = retryPolicy;
  const attempt = { setting: call.setting, url: call.url, key: call.key, timeoutMs, limitBytes };
  const deadline = Date.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    const outcome = await send(call, { timeoutMs: deadline - Date.now(), bytes: limitBytes });
    if (outcome.kind === 'answer') return parsed(outcome.text, call);
    const wait = pauseAfter(outcome, tries, firstPauseMs);
    if (!isTransient(outcome) || tries >= most || Date.now() + wait >= deadline) {
      return err({ ...refusalOf(outcome, tries, attempt), ...(outcome.kind === 'status' && { status: outcome.status }) });
    }
    await pause(wait);
  }
}

function parsed(text: string, { url }: JsonCall): Result<Json, HttpRefusal> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return ok(value as Json);
  } catch {
    return err(unexpectedAnswer(url, 'text that is not JSON'));
  }
  return err(unexpectedAnswer(url, 'JSON that is not an object'));
}

/** The refusal of an answer that does not follow the protocol. */
export const unexpectedAnswer = (url: URL, what: string): ModelRefusal => ({
  code: 'MODEL_ERROR',
  message: `${publicAddress(url)} answered with ${what}`,
  hint: 'check that the endpoint speaks the configured protocol',
  maybeSpent: true,
});
