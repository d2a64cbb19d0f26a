import { isAbsolute, join, resolve, sep } from 'node:path';
import { Failure } from '../../core/failure.ts';
import type { Environment } from '../../core/ports/host.ts';

export interface HomeSources {
  readonly option?: string | undefined;
  readonly env: Environment;
}

/** Where memories live: `--home`, then HOLDFAST_HOME, then CLAUDE_CONFIG_DIR, then ~/.claude. */
export function homeFolder({ option, env }: HomeSources): string {
  const configured = [option, env['HOLDFAST_HOME'], env['CLAUDE_CONFIG_DIR']].find((folder) => folder !== undefined && folder.trim() !== '');
  if (configured !== undefined) return resolve(configured);
  let user: string;
  try {
    user = userHome();
  } catch (cause) {
    throw noHomeFailure(cause);
  }
  if (user === '' || !isAbsolute(user)) throw noHomeFailure();
  return join(user, '.claude');
}

/** The user's own folder. */
export const userHome = (): string => process.getBuiltinModule('node:os').homedir();

/** A path for messages, with ~ for the user's folder and forward slashes. */
export function shownPath(path: string): string {
  let user = '';
  try {
    user = userHome();
  } catch {
    return path.replaceAll('\\', '/');
  }
  const inside = user !== '' && path.startsWith(user + sep);
  return (inside ? `~${path.slice(user.length)}` : path).replaceAll('\\', '/');
}

const noHomeFailure = (cause?: unknown): Failure =>
  new Failure('IO_ERROR', 'The home folder is unknown.', { hint: 'set HOME or HOLDFAST_HOME, or pass --home DIR', cause });

/** The working folder of the process; after its deletion, the path in PWD. */
export function workingFolder(env: Environment): string {
  try {
    return process.cwd();
  } catch {
    return env['PWD'] ?? '/';
  }
}

/** Node's crypto is loaded when first needed: most searches hash nothing. */
export const md5 = (text: string | Buffer): string => process.getBuiltinModule('node:crypto').createHash('md5').update(text).digest('hex');

export const sha256 = (text: string): string => process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');

/** The oldest Node that the bundles run on; a test compares it with `engines`. */
export const OLDEST_NODE = '20.19';

export function isTooOld(version: string): boolean {
  const [[major = 0, minor = 0], [oldestMajor = 0, oldestMinor = 0]] = [version, OLDEST_NODE].map((numbers) => numbers.split('.').map(Number)) as [
    number[],
    number[],
  ];
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

export const nodeTooOldMessage = (version: string): string =>
  `Holdfast needs Node ${OLDEST_NODE} or newer, and node on the PATH is ${version}: memory does nothing in this session. Install a newer one from https://nodejs.org, or switch the plugin off with /plugin.`;
