import { SILENT } from '../../app/hooks/call.ts';
import { startSession } from '../../app/hooks/start.ts';
import { type Answering, runHook } from '../compose/hook.ts';
import { locateOn, openDesk } from '../compose/hook-desk.ts';
import { spawnFinish } from '../compose/spawn-finish.ts';

/** The start and the end of a session are waited for, so that they load nothing but themselves. */
const start: Answering = async (call, cwd, around) => {
  const opened = openDesk(cwd, around);
  if (!opened) return undefined;
  try {
    return await startSession(opened.desk, call);
  } finally {
    await opened.leave();
  }
};

/** Nothing is read but the switch: what a session leaves behind is taken in by a process that nobody waits for. */
const end: Answering = async ({ session, transcript }, cwd, around) => {
  if (!locateOn(cwd, around)) return undefined;
  spawnFinish({ home: around.home, cwd, ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) }, process.env);
  return SILENT;
};

const event = process.argv[2] === 'SessionEnd' ? 'SessionEnd' : 'SessionStart';
void runHook({ event, client: 'claude-code', env: process.env }, event === 'SessionEnd' ? end : start);
