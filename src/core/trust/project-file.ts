/** Folders for dependencies, build output and files that git ignores. */
const OTHERS =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|vendor|third[_-]party|site-packages|dist-packages|\.venv|venv|virtualenv|__pypackages__|Pods|Carthage|\.git|\.cargo|\.rustup|\.gradle|\.m2|\.npm|\.pnpm-store|\.yarn|\.cache|\.tox|\.eggs|deps|_build|elm-stuff|go\/pkg|gems|downloads?|tmp|temp|target\/(?:debug|release|doc|package)|\.next|\.nuxt|\.claude\/plugins)(?:\/|$)/i;

const normal = (path: string): string => path.replaceAll('\\', '/').replace(/\/+/g, '/');

/** A path without `.` and `..`; undefined if it leads outside its start. */
function resolved(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/**
 * Whether a file is one of the project's own, by its path: inside the project, and in no folder that holds dependencies, builds or downloads. Without a
 * project only a relative path can be.
 */
export function isProjectFile(file: string, project?: string): boolean {
  const path = normal(file);
  const isAbsolute = /^(?:\/|[a-z]:\/)/i.test(path);
  if (path.startsWith('~') || /^[a-z][\w+.-]+:\/\//i.test(file)) return false;
  const root = project === undefined ? undefined : resolved(normal(project));
  if (isAbsolute && (root === undefined || root === '')) return false;
  const whole = resolved(path);
  if (whole === undefined) return false;
  if (!isAbsolute) return !OTHERS.test(whole);
  return whole === root || (whole.startsWith(`${root}/`) && !OTHERS.test(whole.slice(`${root}/`.length)));
}
