import { notification } from './message.ts';
import { ProtocolFault } from './resources.ts';

export type SendMessage = (message: object) => void;

const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
/** A call that takes longer says that it goes on, so that its client does not give up. */
const PROGRESS_MS = 1_000;

/** The log messages to a client; none before it has asked for them. */
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
    const least = LOG_LEVELS.indexOf(typeof requestLevel === 'string' ? requestLevel : (this.#level ?? ''));
    if (least >= 0 && LOG_LEVELS.indexOf(level) >= least) send(notification('notifications/message', { level, logger: this.#name, data }));
  }
}

/** Tells a client that asked for it every second that its call goes on, until the result is cleared. */
export function tellProgress(token: unknown, send: SendMessage): NodeJS.Timeout | undefined {
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  let progress = 0;
  const tell = (): void => send(notification('notifications/progress', { progressToken: token, progress: ++progress, message: 'working' }));
  return setInterval(tell, PROGRESS_MS).unref();
}
