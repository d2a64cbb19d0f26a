/** The result of one request. */
export type HttpOutcome =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly text: string; readonly waitMs?: number }
  | { readonly kind: 'redirect'; readonly status: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'network'; readonly code: string };

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Bytes of an error's text that are read. */
const ERROR_BYTES = 16 * 1024;

/** The body as text, or undefined when it is longer than `limit`. */
async function bodyOf(response: Response, limit: number): Promise<string | undefined> {
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await response.body?.cancel();
    return undefined;
  }
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The pause that the server asks for, in milliseconds; it may be given in seconds, in milliseconds, or as a date. */
export function waitOf(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const retryAfter = headers.get('retry-after')?.trim();
  if (retryAfter === undefined || retryAfter === '') return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

function failureOf(cause: unknown): HttpOutcome {
  if (cause instanceof Error && cause.name === 'TimeoutError') return { kind: 'timeout' };
  for (let inner: unknown = cause; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string') return { kind: 'network', code: inner.code };
  }
  return { kind: 'network', code: 'UNKNOWN' };
}

/** One request within limits of time and size. Does not follow redirects: they would carry the key elsewhere. */
export async function send(request: HttpRequest, limits: { readonly timeoutMs: number; readonly bytes: number }): Promise<HttpOutcome> {
  const { method, url, headers, body } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(limits.timeoutMs))),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      return { kind: 'redirect', status };
    }
    if (!response.ok) {
      const waitMs = waitOf(response.headers, Date.now());
      const text = (await bodyOf(response, ERROR_BYTES)) ?? '';
      return { kind: 'status', status, text, ...(waitMs !== undefined && { waitMs }) };
    }
    const text = await bodyOf(response, limits.bytes);
    return text === undefined ? { kind: 'too-large' } : { kind: 'answer', text };
  } catch (cause) {
    return failureOf(cause);
  }
}
