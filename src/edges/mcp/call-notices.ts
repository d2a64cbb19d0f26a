import { notification } from './message.ts';
import { ProtocolFault } from './resources.ts';

export type SendMessage = (message: object) => void;

const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
/** How often a long call reports progress, so that its client does not time out. */
const PROGRESS_MS = 1_000;

/** Sends log messages to a client, once it has set a level. */
export class ClientLog {
  readonly #name: string;
  #level: string | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  setLevel(level: unknown): object {
    if (!LOG_LEVELS.includes(String(level))) throw new ProtocolFault(`level is one of ${LOG_LEVELS.join(', ')}`);
    this.#level = String(level);
    return {};
  }

  /** In the stateless revision each request sets its own level. */
  write(level: string, data: string, { send, requestLevel }: { readonly send: SendMessage; readonly requestLevel: unknown }): void {
    const lowest = LOG_LEVELS.indexOf(typeof requestLevel === 'string' ? requestLevel : (this.#level ?? ''));
    if (lowest >= 0 && LOG_LEVELS.indexOf(level) >= lowest) send(notification('notifications/message', { level, logger: this.#name, data }));
  }
}

/** Sends progress every second to a client that asked for it, until the returned timer is cleared. */
export function sendProgress(token: unknown, send: SendMessage): NodeJS.Timeout | undefined {
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  let progress = 0;
  const report = (): void => send(notification('notifications/progress', { progressToken: token, progress: ++progress, message: 'working' }));
  return setInterval(report, PROGRESS_MS).unref();
}
