import { ok, refuse, type Result } from '../../../core/result.ts';

/** The group of settings that an address and its key come from; hints name it. */
export type Setting = 'model' | 'embed';

export interface AddressRequest {
  readonly setting: Setting;
  /** As the user gave it; empty means `base`. */
  readonly endpoint: string;
  readonly base: string;
  /** Path of the call, such as `v1/messages`; a part that ends the endpoint is not repeated. */
  readonly path: string;
  readonly key?: string | undefined;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i;

const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname);

/** The address without user and query, which may hold secrets. */
export const publicAddress = (url: URL): string => `${url.host}${url.pathname}`;

/** The call's path behind the endpoint's: `…/v1` and `v1/messages` make `…/v1/messages`. */
function joined(before: string, path: string): string {
  const trimmed = before.replace(/\/+$/, '');
  const steps = path.split('/');
  for (let shared = steps.length; shared > 0; shared--) {
    const head = `/${steps.slice(0, shared).join('/')}`;
    if (trimmed.endsWith(head)) return `${trimmed}/${steps.slice(shared).join('/')}`.replace(/\/$/, '');
  }
  return `${trimmed}/${path}`;
}

/** The URL of a call. Refuses to send a key unencrypted to another machine. */
export function addressOf({ setting, endpoint, base, path, key }: AddressRequest): Result<URL> {
  const address = endpoint.trim() === '' ? base : endpoint.trim();
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return refuse('CONFIG_ERROR', `${setting}.endpoint is not a URL`, { hint: `such as ${base}` });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('CONFIG_ERROR', `${setting}.endpoint must begin with https:// or http://`, { hint: `such as ${base}` });
  if (url.username !== '' || url.password !== '') {
    return refuse('CONFIG_ERROR', `${setting}.endpoint holds a user name or a password`, {
      hint: `put the key into an environment variable and its name into ${setting}.keyVariable`,
    });
  }
  if (key !== undefined && url.protocol === 'http:' && !isLoopback(url)) {
    return refuse('CONFIG_ERROR', `the key is not sent to ${url.host} without encryption`, { hint: `use https:// in ${setting}.endpoint` });
  }
  url.pathname = joined(url.pathname, path);
  url.hash = '';
  return ok(url);
}

/** A key without surrounding blanks. Refuses characters that a header cannot hold: the error of such a request would show the key. */
export function checkedKey(setting: Setting, key: string | undefined): Result<string | undefined> {
  const trimmed = key?.trim();
  if (trimmed === undefined || trimmed === '') return ok(undefined);
  if (/^[\u0021-\u007e]+$/.test(trimmed)) return ok(trimmed);
  return refuse('CONFIG_ERROR', `the variable that ${setting}.keyVariable names does not hold a key`, { hint: 'a key is one word of plain characters' });
}
