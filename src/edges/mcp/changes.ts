import { isObject } from '../../core/value.ts';
import { type Id, notification } from './message.ts';
import { forSubscription } from './protocol.ts';
import { ProtocolFault } from './resources.ts';

const MOST = 16;

/** Tells the client what has changed: to each of its subscriptions, or at large in revisions that have none. */
export class Changes {
  readonly #send: (message: object) => void;
  readonly #subscriptions = new Map<Id, readonly string[]>();

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  /** A subscription is answered by notifications, until the client cancels it. */
  listen(id: Id, wanted: unknown, offered: readonly string[]): undefined {
    if (!isObject(wanted)) throw new ProtocolFault('notifications names the changes to be told of');
    if (this.#subscriptions.size >= MOST) throw new ProtocolFault('too many subscriptions are open');
    const granted = offered.filter((name) => wanted[name] === true);
    this.#subscriptions.set(id, granted);
    const notifications = Object.fromEntries(granted.map((name) => [name, true]));
    this.#send(notification('notifications/subscriptions/acknowledged', forSubscription(id, { notifications })));
  }

  cancel(id: Id): void {
    this.#subscriptions.delete(id);
  }

  tell(what: 'tools' | 'resources'): void {
    const method = `notifications/${what}/list_changed`;
    if (this.#subscriptions.size === 0) this.#send(notification(method));
    for (const [id, granted] of this.#subscriptions) {
      if (granted.includes(`${what}ListChanged`)) this.#send(notification(method, forSubscription(id)));
    }
  }
}
