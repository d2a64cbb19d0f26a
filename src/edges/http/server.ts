import { createServer, request as askOver, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { ok, refuse, type Result } from '../../core/result.ts';
import { LOOPBACK, WRITE_HEADER } from './guard.ts';
import { projectHere, type RunningPage, type ViewHost, type ViewRequest } from './host.ts';
import { pageRoutes } from './routes.ts';

const HANGUP_MS = 100;
const IDLE_CHECK_MS = 15_000;
const ANSWER_MS = 2_000;

/** Serves the page of a home on loopback until its terminal ends it or it has been idle. A second start makes the first show its link again. */
export async function serveView(host: ViewHost, request: ViewRequest): Promise<Result<void>> {
  const first = host.running();
  if (first && (await knock(first))) {
    host.say(runningText(first, request.json));
    return ok(undefined);
  }
  if (first) host.release(first);
  const keys = { token: host.randomKey(), knock: host.randomKey() };
  let [port, lastUsed] = [0, Date.now()];
  const link = (): string => {
    const here = projectHere(host);
    return `http://${LOOPBACK}:${port}/#key=${keys.token}${here === undefined ? '' : `&to=${encodeURIComponent(`/${here}`)}`}`;
  };
  const show = (): void => {
    host.say(`Your memory is at ${link()}`);
    if (request.opens) host.openBrowser(link());
  };
  const routes = pageRoutes(host, { keys, port: () => port, onUse: () => (lastUsed = Date.now()), onKnock: show });
  const answer = getRequestListener(routes.app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.headersTimeout = ANSWER_MS * 5;
  const listening = await listen(server, request.port);
  if (!listening.ok) return listening;
  port = listening.value;
  const page: RunningPage = { pid: process.pid, port, knock: keys.knock };
  if (!host.claim(page)) {
    server.close();
    return refuse('LOCK_TIMEOUT', 'Another holdfast view started first.', { hint: 'run holdfast view again to find it' });
  }
  const idleMs = request.idleMinutes > 0 ? request.idleMinutes * 60_000 : Number.POSITIVE_INFINITY;
  const { ended, end } = waitForEnd({
    show,
    release: () => host.release(page),
    isIdle: () => Date.now() - lastUsed > idleMs,
    checkMs: Math.min(IDLE_CHECK_MS, idleMs),
  });
  let shown: Result<void> = ok(undefined);
  try {
    host.say(request.json ? JSON.stringify({ ok: true, url: link(), pid: page.pid }) : `Your memory is at ${link()}`);
    if (!request.json) host.say('It answers on this machine only. Press Enter to show the link again, Ctrl-C to end it.');
  } catch (cause) {
    // Without the link the page cannot be used. A closed terminal can fail a write before its SIGHUP is handled.
    shown = refuse('IO_ERROR', `The link cannot be printed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: 'see where its standard output goes',
    });
    end(isClosedTerminal(cause) ? 'hangup' : 'stopped');
  }
  if (shown.ok && request.opens) host.openBrowser(link());
  const reason = await ended;
  routes.close();
  server.closeAllConnections();
  server.close();
  // Node would abort, because it cannot restore the modes of a terminal that is gone.
  if (reason === 'hangup' && (process.stdin.isTTY || process.stdout.isTTY)) process.kill(process.pid, 'SIGHUP');
  if (reason === 'idle' && !request.json) host.say(`Ended: no one used the page for ${request.idleMinutes} minutes.`);
  return shown;
}

const isClosedTerminal = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'EIO';

const runningText = ({ pid, port }: RunningPage, json: boolean): string =>
  json
    ? JSON.stringify({ ok: true, running: true, pid, port })
    : `The page of this home runs already, on port ${port} (process ${pid}). Its link was shown again in the terminal where it runs.`;

function listen(server: Server, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    server.once('error', (cause) =>
      resolve(refuse('IO_ERROR', `Port ${port} on ${LOOPBACK} cannot be used: ${cause.message}`, { hint: 'leave out --port, or give another one' })),
    );
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** Asks the running page to show its link again; false if none answers. */
function knock({ port, knock: key }: RunningPage): Promise<boolean> {
  return new Promise((resolve) => {
    const request = askOver({ host: LOOPBACK, port, path: '/knock', method: 'POST', headers: { [WRITE_HEADER]: key }, timeout: ANSWER_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.end();
  });
}

type EndReason = 'stopped' | 'hangup' | 'idle';

interface EndWatch {
  readonly show: () => void;
  readonly release: () => void;
  readonly isIdle: () => boolean;
  readonly checkMs: number;
}

/** Waits for Ctrl-C, the end of the terminal, or idling. */
function waitForEnd({ show, release, isIdle, checkMs }: EndWatch): { readonly ended: Promise<EndReason>; readonly end: (reason: EndReason) => void } {
  const { stdin } = process;
  let endNow = (_reason: EndReason): void => {};
  const ended = new Promise<EndReason>((resolve, reject) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const end = (reason: EndReason): void => {
      clearInterval(timer);
      // Before the handlers are removed: a closing terminal may send a signal after its input has ended.
      try {
        release();
        resolve(reason);
      } catch (cause) {
        reject(cause);
      }
      for (const signal of signals) process.off(signal, stop);
      stdin.pause();
    };
    const stop = (signal?: NodeJS.Signals): void => end(signal === 'SIGHUP' ? 'hangup' : 'stopped');
    endNow = end;
    const timer = setInterval(() => isIdle() && end('idle'), checkMs);
    for (const signal of signals) process.on(signal, stop);
    if (!stdin.isTTY) return;
    stdin.on('data', show);
    // A closing terminal ends its input and then sends SIGHUP; Ctrl-D only ends the input.
    stdin.once('end', () => setTimeout(stop, HANGUP_MS));
  });
  return { ended, end: (reason) => endNow(reason) };
}
