import { isAbsolute, join, resolve, sep } from 'node:path';
import { Failure } from '../../core/failure.ts';

export interface HomeSources {
  readonly option?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where memories live: `--home`, then HOLDFAST_HOME, then CLAUDE_CONFIG_DIR, then ~/.claude. */
export function homeFolder({ option, env }: HomeSources): string {
  const named = [option, env['HOLDFAST_HOME'], env['CLAUDE_CONFIG_DIR']].find((one) => one !== undefined && one.trim() !== '');
  if (named !== undefined) return resolve(named);
  let user: string;
  try {
    user = userHome();
  } catch (cause) {
    throw noHome(cause);
  }
  if (user === '' || !isAbsolute(user)) throw noHome();
  return join(user, '.claude');
}

/** The user's own folder. */
export const userHome = (): string => process.getBuiltinModule('node:os').homedir();

/** A path as people write it, with ~ for the user's folder and forward slashes. */
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

const noHome = (cause?: unknown): Failure =>
  new Failure('IO_ERROR', 'there is no home folder', { hint: 'set HOME, or give --home DIR or HOLDFAST_HOME', cause });

/** The folder that the process was started in; one that was deleted since is still known by its name. */
export function workingFolder(env: HomeSources['env']): string {
  try {
    return process.cwd();
  } catch {
    return env['PWD'] ?? '/';
  }
}

/** Node's crypto is loaded when first needed: most searches hash nothing. */
export const md5 = (text: string | Buffer): string => process.getBuiltinModule('node:crypto').createHash('md5').update(text).digest('hex');
