import { fileURLToPath } from 'node:url';
import { isObject } from '../../core/value.ts';

const REQUEST = 'holdfast-roots';
/** After this time without an answer, requests work in the folder that the server was started in. */
const WAIT_MS = 2_000;

/** Asks the client in which folders it works; requests wait for the answer. */
export class ClientFolders {
  readonly #send: (message: object) => void;
  readonly #workIn: ((folders: readonly string[]) => void) | undefined;
  #hasRoots = false;
  #stopWaiting: () => void = () => {};
  /** Resolves when the folder to work in is known. */
  known: Promise<void> = Promise.resolve();

  constructor(send: (message: object) => void, workIn: ((folders: readonly string[]) => void) | undefined) {
    this.#send = send;
    this.#workIn = workIn;
  }

  takeCapabilities(capabilities: unknown): void {
    this.#hasRoots = this.#workIn !== undefined && isObject(capabilities) && isObject(capabilities['roots']);
  }

  takeNotice(method: string): void {
    if (!this.#hasRoots || (method !== 'notifications/initialized' && method !== 'notifications/roots/list_changed')) return;
    this.known = new Promise((resolve) => {
      const timer = setTimeout(resolve, WAIT_MS);
      this.#stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#send({ jsonrpc: '2.0', id: REQUEST, method: 'roots/list' });
  }

  takeAnswer(id: string | number, result: unknown): void {
    if (id !== REQUEST) return;
    const roots = isObject(result) && Array.isArray(result['roots']) ? result['roots'] : [];
    const folders = roots.flatMap((root: unknown) => (isObject(root) && typeof root['uri'] === 'string' ? folderOf(root['uri']) : []));
    if (folders.length > 0) this.#workIn?.(folders);
    this.#stopWaiting();
  }
}

function folderOf(uri: string): readonly string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
