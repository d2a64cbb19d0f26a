import type { BackgroundWork } from '../../core/ports/machine.ts';
import type { Environment } from '../../core/ports/host.ts';
import { join } from 'node:path';

/** Stand in the place of a transcript. */
export const VIEWS_FLAG = '--views';
export const EMBED_FLAG = '--embed';
/** Embedding may take an hour; whatever else the machine does goes first. */
const LOW_PRIORITY = 15;

/** Starts `finish.js` in the background; no hook of Holdfast answers in it. `ended` is called once, also where no process can be started. */
export function startBackground(home: string, work: BackgroundWork, env: Environment, ended: () => void = () => {}): void {
  const { cwd, session = '', transcript = '', onlyViews = false, onlyEmbeds = false } = work;
  let isOver = false;
  const end = (): void => {
    if (!isOver) ended();
    isOver = true;
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
    // The next start looks back.
    end();
  }
}
