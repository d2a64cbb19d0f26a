import { statSync, writeFileSync } from 'node:fs';
import { aheadFile, hasAhead } from './ahead.ts';
import { ONLY_AHEAD, spawnFinish } from './spawn-finish.ts';

/** A process that was started within this time has not looked yet, and sees this change as well. */
const SEEN_MS = 1_000;

/** A command has changed a memory: what the next session in the folder is told is made again, where it had been made, by a process that nobody waits for. */
export function renewAhead(home: string, cwd: string, env: Readonly<Record<string, string | undefined>>): void {
  const kept = aheadFile(home, cwd);
  if (env['HOLDFAST_CHILD'] === '1' || kept === undefined || !hasAhead(home, cwd)) return;
  const mark = `${kept}.renewed`;
  if (Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) < SEEN_MS) return;
  writeFileSync(mark, '', { mode: 0o600 });
  spawnFinish({ home, cwd, transcript: ONLY_AHEAD }, env);
}
