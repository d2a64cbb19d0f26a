const SCRATCH = /(?:^|\/)\.(?:claude|codex|gemini)\/(?:plans|projects|todos)\/|^\/tmp\/|^\/private\/tmp\/|^\/var\/folders\//;

/** Files that an agent keeps for itself are no part of the work. */
export const isScratch = (path: string): boolean => SCRATCH.test(path.replaceAll('\\', '/'));

/** The folder that all of the paths lie in, with its closing slash. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths.map((path) => path.split('/').slice(0, -1));
  const parts = Array.isArray(first) ? first : [];
  const shared = rest.reduce((common, other) => common.slice(0, common.findIndex((part, at) => part !== other[at]) >>> 0), parts);
  return shared.length === 0 ? '' : `${shared.join('/')}/`;
}

/** Paths as the project's people name them. */
export function shortPaths(paths: readonly string[], project: string | undefined): ReadonlyMap<string, string> {
  const plain = paths.map((path) => path.replaceAll('\\', '/'));
  const root = project?.replaceAll('\\', '/').replace(/\/?$/, '/');
  const inside = root !== undefined && root.startsWith('/') ? plain.filter((path) => path.startsWith(root)) : [];
  const absolute = plain.filter((path) => path.startsWith('/') || /^[A-Za-z]:\//.test(path));
  const base = inside.length > 0 && root !== undefined ? root : absolute.length > 1 ? commonFolder(absolute) : '';
  return new Map(paths.map((path, at) => [path, shortPath(plain[at] as string, base)]));
}

function shortPath(path: string, base: string): string {
  if (base !== '' && path.startsWith(base)) return path.slice(base.length);
  const parts = path.split('/');
  return path.startsWith('/') && parts.length > 4 ? parts.slice(-3).join('/') : path;
}
