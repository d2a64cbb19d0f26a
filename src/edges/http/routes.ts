import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ICON, policyWith, SAFE_HEADERS, shellWith } from '../../app/page/shell.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { Refusal, Result } from '../../core/result.ts';
import { actOn } from './acts.ts';
import type { EditConflict, Reads, RefusedAnswer } from './contract.ts';
import { bearerOf, isAllowedHost, isOwnOrigin, isSameKey, WRITE_HEADER } from './guard.ts';
import type { ViewHost } from './host.ts';
import { PageMemories } from './page-memories.ts';
import { READS, type ReadContext } from './reads.ts';

const SHELL = {
  script: '/view.js',
  about: '',
  noScript:
    'This page shows your memory with its own script. Switch scripts on, or use <code>holdfast search</code> and <code>holdfast inbox</code> in a terminal.',
};
const BODY_BYTES = 4 * 1024 * 1024;

export interface PageKeys {
  /** The page gets it in the fragment of its link and sends it with every request. */
  readonly token: string;
  /** Lets a second start show the link again in the terminal of the first. */
  readonly knock: string;
}

export interface PageRoutes {
  readonly app: Hono;
  close(): void;
}

export interface RouteOptions {
  readonly keys: PageKeys;
  readonly port: () => number;
  /** Called for every request that a person caused. */
  readonly onUse: () => void;
  readonly onKnock: () => void;
}

const refused = (error: string, message: string, hint?: string): RefusedAnswer => ({ error, message, ...(hint !== undefined && { hint }) });

const statusOf = ({ code, missing }: Refusal): 403 | 404 | 409 | 422 =>
  missing || code === 'NOT_FOUND' ? 404 : code === 'OCC_CONFLICT' || code === 'UNDO_CONFLICT' ? 409 : code === 'SECURITY_ERROR' ? 403 : 422;

/** The page's routes: its shell and files, its queries and its acts. */
export function pageRoutes(host: ViewHost, { keys, port, onUse, onKnock }: RouteOptions): PageRoutes {
  const app = new Hono();
  const places = new PageMemories(host);
  const context: ReadContext = { host, places };
  const files = host.readFiles();
  let turn: Promise<unknown> = Promise.resolve();

  app.use(async (c, next) => {
    // Refuses a request by any other name (DNS rebinding).
    if (!isAllowedHost(c.req.header('host'), port())) return c.json(refused('FORBIDDEN', 'This page answers on loopback only.'), 403, { ...SAFE_HEADERS });
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) c.res.headers.set(name, value);
    if (!c.res.headers.has('content-security-policy')) c.res.headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  });

  app.get('/', (c) => {
    const nonce = host.randomKey();
    return c.html(shellWith(nonce, SHELL), 200, { 'content-security-policy': policyWith(nonce) });
  });
  app.get('/view.js', (c) => c.body(files.script, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  app.get('/view.css', (c) => c.body(files.style, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/icon.svg', (c) => c.body(ICON, 200, { 'content-type': 'image/svg+xml' }));
  app.post('/knock', (c) => {
    if (c.req.header('origin') !== undefined || !isSameKey(c.req.header(WRITE_HEADER) ?? '', keys.knock)) return c.json(refused('FORBIDDEN', 'No.'), 403);
    onKnock();
    return c.json({ ok: true });
  });

  app.use('/api/*', async (c, next) => {
    const site = c.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin') return c.json(refused('FORBIDDEN', 'Only the page itself may send requests.'), 403);
    if (!isSameKey(bearerOf(c.req.header('authorization')), keys.token))
      return c.json(
        refused('NO_KEY', 'This link is from an earlier start, or its key is missing.', 'run holdfast view, or press Enter in the terminal where it runs'),
        401,
      );
    if (c.req.method !== 'GET') {
      const isFromPage = isOwnOrigin(c.req.header('origin'), port()) && c.req.header(WRITE_HEADER) === '1';
      if (!isFromPage || !(c.req.header('content-type') ?? '').startsWith('application/json'))
        return c.json(refused('FORBIDDEN', 'Only the page itself may change something.'), 403);
    }
    return next();
  });
  app.get('/api/:name', async (c) => {
    const name = c.req.param('name');
    if (!Object.hasOwn(READS, name)) return c.json(refused('NOT_FOUND', 'The page asked for something that this version does not know.'), 404);
    if (name !== 'changes') onUse();
    return answer(c, await READS[name as keyof Reads](context, c.req.query()));
  });
  app.post('/api/:name', bodyLimit({ maxSize: BODY_BYTES }), async (c) => {
    onUse();
    const body: unknown = await c.req.json().catch(() => undefined);
    const act = turn.then(() => actOn(context, c.req.param('name'), body));
    turn = act.catch(() => undefined);
    return answer(c, await act);
  });
  app.notFound((c) => c.json(refused('NOT_FOUND', 'There is nothing here.'), 404));
  app.onError((cause, c) => {
    if (isRefused(cause)) return c.json(refused(cause.refusal.code, cause.refusal.message, cause.refusal.hint), statusOf(cause.refusal));
    if (isFailure(cause)) return c.json(refused(cause.code, cause.message, cause.hint), 503);
    host.warn(`${c.req.method} ${new URL(c.req.url).pathname}: ${cause.message}`);
    return c.json(refused('INTERNAL', 'The server failed. The terminal where it runs shows why.'), 500);
  });
  return { app, close: () => places.close() };
}

/** The result as JSON, or the refusal with its status. */
function answer(
  c: { json(body: object, status?: 200 | 403 | 404 | 409 | 422): Response },
  result: Result<object, Refusal & { readonly conflict?: EditConflict }>,
): Response {
  if (result.ok) return c.json(result.value);
  const { code, message, hint, conflict } = result.error;
  return c.json({ ...refused(code, message, hint), ...(conflict && { conflict }) }, statusOf(result.error));
}
