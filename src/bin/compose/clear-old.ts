import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the files of a folder that nobody has touched for so long. */
export function clearOld(folder: string, keptMs: number, now: number): void {
  if (!statSync(folder, { throwIfNoEntry: false })) return;
  for (const name of readdirSync(folder)) {
    const old = join(folder, name);
    if (now - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? now) > keptMs) rmSync(old, { force: true });
  }
}
