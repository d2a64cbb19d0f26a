import { isObject } from '../../core/value.ts';
import type { SendMessage } from './call-notices.ts';
import { type Id, notification } from './message.ts';
import { forSubscription } from './protocol.ts';
import { ProtocolFault } from './resources.ts';

const MOST_SUBSCRIPTIONS = 16;
export const LISTEN_METHOD = 'subscriptions/listen';

interface Subscription {
  readonly granted: readonly string[];
  readonly send: SendMessage;
}

/** Sends notices of changes to each subscription, or to the client itself in revisions without subscriptions. */
export class Changes {
  readonly #send: SendMessage;
  readonly #subscriptions = new Map<Id, Subscription>();

  constructor(send: SendMessage) {
    this.#send = send;
  }

  /** Opens a subscription. It gets notifications in place of an answer, until the client cancels it. */
  listen({ id, wanted, send }: { readonly id: Id; readonly wanted: unknown; readonly send: SendMessage }, offered: readonly string[]): undefined {
    if (!isObject(wanted)) throw new ProtocolFault('notifications must list the changes to report');
    if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS) throw new ProtocolFault('too many subscriptions are open');
    const granted = offered.filter((name) => wanted[name] === true);
    this.#subscriptions.set(id, { granted, send });
    const notifications = Object.fromEntries(granted.map((name) => [name, true]));
    send(notification('notifications/subscriptions/acknowledged', forSubscription(id, { notifications })));
  }

  /** Whether a message opened a subscription that is still open. */
  isOpen(message: unknown): boolean {
    return isObject(message) && message['method'] === LISTEN_METHOD && this.#subscriptions.has(message['id'] as Id);
  }

  cancel(id: Id): void {
    this.#subscriptions.delete(id);
  }

  announce(what: 'tools' | 'resources'): void {
    const method = `notifications/${what}/list_changed`;
    if (this.#subscriptions.size === 0) this.#send(notification(method));
    for (const [id, { granted, send }] of this.#subscriptions) {
      if (granted.includes(`${what}ListChanged`)) send(notification(method, forSubscription(id)));
    }
  }
}
