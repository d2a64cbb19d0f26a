import { signal } from '@preact/signals';

/** The key of this server. It comes in the fragment of the link, which is not sent to servers, and stays in memory. */
export const key = signal<string | undefined>(undefined);

const FRAGMENT = /^#key=([\w-]+)(?:&to=(.*))?$/;
const WAIT_MS = 250;

/** Takes the key out of the address. A tab without a key, or with an unexpected one, asks the other tabs of the page. */
export async function takeKey(isExpected: () => boolean = () => true): Promise<void> {
  const [, fragmentKey, to] = FRAGMENT.exec(location.hash) ?? [];
  const ownKey = fragmentKey !== undefined && isExpected() ? fragmentKey : undefined;
  if (fragmentKey !== ownKey) history.replaceState(null, '', '#/');
  const tabs = new BroadcastChannel('holdfast');
  const send = tabs.postMessage.bind(tabs);
  if (ownKey !== undefined) {
    key.value = ownKey;
    history.replaceState(null, '', `#${to === undefined ? '/' : decodeURIComponent(to)}`);
  } else key.value = await askTabs(tabs, send);
  tabs.addEventListener('message', ({ data }) => {
    if (data === 'key?' && key.value !== undefined) send({ key: key.value });
  });
}

function askTabs(tabs: BroadcastChannel, send: (message: unknown) => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), WAIT_MS);
    tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'object' || data === null || !('key' in data) || typeof data.key !== 'string') return;
      clearTimeout(timer);
      resolve(data.key);
    });
    send('key?');
  });
}
