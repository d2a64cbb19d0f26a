import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { refuse, ok, type Result } from '../../core/result.ts';
import { teamRoutes, type TeamHost } from './routes.ts';

export interface TeamAddressRequest {
  readonly host: string;
  readonly port: number;
}

export interface RunningTeamServer {
  readonly port: number;
  /** Refuses new requests, answers those that came before, then closes the store. */
  stop(): Promise<void>;
}

/** How long open requests may take after a stop. */
const STOP_MS = 15_000;

/** Serves a team's API until it is stopped. */
export async function serveTeam(parts: Omit<TeamHost, 'isOpen'>, { host, port }: TeamAddressRequest): Promise<Result<RunningTeamServer>> {
  let isOpen = true;
  const app = teamRoutes({ ...parts, isOpen: () => isOpen });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => {
    if (!isOpen) outgoing.setHeader('connection', 'close');
    void answer(incoming, outgoing);
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  // Ends connections of clients that do not read their answers.
  server.timeout = 120_000;
  const listening = await listen(server, host, port);
  if (!listening.ok) return listening;
  return ok({
    port: listening.value,
    stop: async () => {
      isOpen = false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), STOP_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      });
      await parts.embedding?.stop();
      await parts.store.close();
    },
  });
}

const listen = (server: Server, host: string, port: number): Promise<Result<number>> =>
  new Promise((resolve) => {
    server.once('error', (cause) => resolve(refuse('IO_ERROR', `${host}:${port} cannot be used: ${cause.message}`, { hint: 'give another --port or --host' })));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
