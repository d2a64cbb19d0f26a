import type { BackgroundWork } from '../../core/ports/machine.ts';
import type { Environment } from '../../core/ports/host.ts';
import { join } from 'node:path';

/** Flags that replace the transcript argument. */
export const VIEWS_FLAG = '--views';
export const EMBED_FLAG = '--embed';
/** Embedding may take an hour, so all other work of the machine has priority. */
const LOW_PRIORITY = 15;

/** Starts `finish.js` in the background, where Holdfast's hooks do nothing. Calls `onEnd` once, also if no process can be started. */
export function startBackground(home: string, work: BackgroundWork, env: Environment, onEnd: () => void = () => {}): void {
  const { cwd, session = '', transcript = '', onlyViews = false, onlyEmbeds = false } = work;
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  try {
    const { spawn } = process.getBuiltinModule('node:child_process');
    const args = [join(import.meta.dirname, 'finish.js'), home, cwd, session, onlyViews ? VIEWS_FLAG : onlyEmbeds ? EMBED_FLAG : transcript];
    const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true, cwd: home, env: { ...env, HOLDFAST_CHILD: '1' } });
    child.on('error', end);
    child.on('exit', end);
    child.unref();
    if (onlyEmbeds && child.pid !== undefined) process.getBuiltinModule('node:os').setPriority(child.pid, LOW_PRIORITY);
  } catch {
    // The next session start does this work.
    end();
  }
}
