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
    user = process.getBuiltinModule('node:os').homedir();
  } catch (cause) {
    throw noHome(cause);
  }
  if (user === '' || !isAbsolute(user)) throw noHome();
  return join(user, '.claude');
}

/** A path as people write it, with ~ for the user's folder and forward slashes. */
export function shownPath(path: string): string {
  let user = '';
  try {
    user = process.getBuiltinModule('node:os').homedir();
  } catch {
    return path.replaceAll('\\', '/');
  }
  const inside = user !== '' && path.startsWith(user + sep);
  return (inside ? `~${path.slice(user.length)}` : path).replaceAll('\\', '/');
}

const noHome = (cause?: unknown): Failure =>
  new Failure('IO_ERROR', 'there is no home folder', { hint: 'set HOME, or give --home DIR or HOLDFAST_HOME', cause });
