import { forgetAhead } from './ahead.ts';
import { type Answering, runHook } from './hook.ts';
import { locateOn } from './hook-desk.ts';
import { homeFolder } from './home.ts';
import { spawnFinish } from './spawn-finish.ts';
import { SILENT } from '../../app/hooks/call.ts';

/** Whether memory is off in a folder: told without what a brief is made with. */
export function isOff(cwd: string): boolean {
  try {
    const home = homeFolder({ env: process.env });
    if (locateOn(cwd, { home, now: Date.now, client: 'claude-code' })) return false;
    forgetAhead(home, cwd);
    return true;
  } catch {
    // The whole program says what is wrong.
    return false;
  }
}

/** Nothing is read but the switch: what a session leaves behind is taken in by a process that nobody waits for. */
const end: Answering = async ({ session, transcript }, cwd, around) => {
  if (!locateOn(cwd, around)) return undefined;
  spawnFinish({ home: around.home, cwd, ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) }, process.env);
  return SILENT;
};

export async function endSession(input: string): Promise<void> {
  await runHook({ event: 'SessionEnd', client: 'claude-code', env: process.env, input }, end);
}
