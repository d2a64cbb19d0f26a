import { signal } from '@preact/signals';

/** The key of this start. It comes in the fragment of the link, which no server sees, and stays in memory. */
export const key = signal<string | undefined>(undefined);

const FRAGMENT = /^#key=([\w-]+)(?:&to=(.*))?$/;
const WAIT_MS = 250;

/** Takes the key out of the address; a tab that was opened without one, or with one that is not expected, asks the other tabs of the page. */
export async function takeKey(isExpected: () => boolean = () => true): Promise<void> {
  const [, found, to] = FRAGMENT.exec(location.hash) ?? [];
  const given = found !== undefined && isExpected() ? found : undefined;
  if (found !== given) history.replaceState(null, '', '#/');
  const tabs = new BroadcastChannel('holdfast');
  const tell = tabs.postMessage.bind(tabs);
  if (given !== undefined) {
    key.value = given;
    history.replaceState(null, '', `#${to === undefined ? '/' : decodeURIComponent(to)}`);
  } else key.value = await askTabs(tabs, tell);
  tabs.addEventListener('message', ({ data }) => {
    if (data === 'key?' && key.value !== undefined) tell({ key: key.value });
  });
}

function askTabs(tabs: BroadcastChannel, tell: (message: unknown) => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), WAIT_MS);
    tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'object' || data === null || !('key' in data) || typeof data.key !== 'string') return;
      clearTimeout(timer);
      resolve(data.key);
    });
    tell('key?');
  });
}
