const DEFAULT_PORTS: Readonly<Record<string, string>> = { ssh: '22', https: '443', http: '80', git: '9418', ftp: '21', ftps: '990' };

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i;
const AUTHORITY = /^(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)(?::(\d*))?(\/.*)?$/;
const SCP = /^(?:[^@/]*@)?(\[[^\]]*\]|[^:/\\]{2,}):(.*)$/;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const place = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?<=.)\.git$/i, '')
    .replace(/\/+$/, '');

/** One spelling for every way to write a remote: `host/owner/name`, without scheme, credentials, default port and `.git`. */
export function normalRemote(url: string): string | undefined {
  const text = url.trim();
  if (text === '') return undefined;
  const [, scheme, rest] = SCHEME.exec(text) ?? [];
  if (scheme !== undefined && rest !== undefined) {
    const plain = scheme.toLowerCase().replace(/^git\+|\+git$/g, '');
    if (plain === 'file') return `file:/${place(decoded(rest))}`;
    const [, host = '', port = '', path = ''] = AUTHORITY.exec(rest.replace(/[?#].*$/, '')) ?? [];
    if (host === '') return undefined;
    const shown = port === '' || port === DEFAULT_PORTS[plain] ? '' : `:${port}`;
    return `${host.toLowerCase()}${shown}/${place(decoded(path))}`;
  }
  const [, host, path] = SCP.exec(text) ?? [];
  if (host !== undefined && path !== undefined) return `${host.toLowerCase()}/${place(path)}`;
  return `file:/${place(text)}`;
}
