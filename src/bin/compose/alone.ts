import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../adapters/files/durable.ts';

const STALE_MS = 10 * 60 * 1000;

/** One at a time for a project: whoever comes second leaves it to the first, or to the next start. */
export async function alone(lock: string, now: number, work: () => Promise<void>): Promise<void> {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && now - since < STALE_MS) return;
  rmSync(lock, { force: true });
  makeFolder(dirname(lock));
  let handle: number;
  try {
    handle = openSync(lock, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw cause;
  }
  try {
    await work();
  } finally {
    closeSync(handle);
    rmSync(lock, { force: true });
  }
}
