import { join } from 'node:path';
import type { LaterWork } from '../../app/hooks/call.ts';

export interface FinishRequest extends LaterWork {
  readonly home: string;
  readonly cwd: string;
}

/** In the place of a transcript: it is named by what the client wrote to our standard input, which is handed on unread. */
export const ON_INPUT = '-';

/** In the same place: no session has ended, only the views are mended. */
export const ONLY_VIEWS = '+';

/** What a process that somebody waits for leaves to one that nobody does: to have the views say what the files say. */
export const mendElsewhere = (home: string, cwd: string, env: Readonly<Record<string, string | undefined>>): { readonly mendViews: () => Promise<void> } => ({
  mendViews: async () => spawnFinish({ home, cwd, transcript: ONLY_VIEWS }, env),
});

/** Starts the heavy work of a session in a process that nobody waits for, and that no hook of ours answers. */
export function spawnFinish(
  { home, cwd, session = '', transcript = '' }: FinishRequest,
  env: Readonly<Record<string, string | undefined>>,
  ended: () => void = () => {},
): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'finish.js'), home, cwd, session, transcript], {
      detached: true,
      stdio: [transcript === ON_INPUT ? 'inherit' : 'ignore', 'ignore', 'ignore'],
      windowsHide: true,
      cwd: home,
      env: { ...env, HOLDFAST_CHILD: '1' },
    });
    child.on('error', ended);
    child.on('exit', ended);
    child.unref();
  } catch {
    // No process to be had: the next start looks back.
    ended();
  }
}
