import { type HookAnswer, SILENT } from '../../app/hooks/call.ts';
import { startSession } from '../../app/hooks/start.ts';
import { presentAnswer } from '../../edges/hook/present.ts';
import { type Answering, runHook } from '../compose/hook.ts';
import { locateOn, openDesk } from '../compose/hook-desk.ts';
import { keepAhead } from '../compose/keep-ahead.ts';
import { spawnFinish } from '../compose/spawn-finish.ts';
import { type Trace, tracedDesk } from '../compose/traced.ts';

const folder = import.meta.dirname;

/** The start and the end of a session are waited for, so that they load nothing but themselves. */
const start: Answering = async (call, cwd, around) => {
  const since = around.now();
  const opened = openDesk(cwd, around);
  if (!opened) return undefined;
  const { desk, project, leave } = opened;
  const trace: Trace = { paths: new Set() };
  const { session, source } = call;
  let answer: HookAnswer;
  try {
    answer = await startSession(tracedDesk(desk, project.worktree, trace), call);
  } finally {
    await leave();
  }
  const isNew = session !== undefined && (source === 'startup' || source === 'clear');
  const said = isNew && answer.context !== undefined ? { text: presentAnswer(call.event, answer), session, trace } : undefined;
  return { ...answer, afterwards: () => keepAhead({ home: around.home, cwd, project, since, folder, ...(said && { said }) }) };
};

/** Nothing is read but the switch: what a session leaves behind is taken in by a process that nobody waits for. */
const end: Answering = async ({ session, transcript }, cwd, around) => {
  if (!locateOn(cwd, around)) return undefined;
  spawnFinish({ home: around.home, cwd, ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) }, process.env);
  return SILENT;
};

/** The whole way, for what could not be answered by a look at a few files. */
export async function answerWhole(event: 'SessionStart' | 'SessionEnd', input: string): Promise<void> {
  await runHook({ event, client: 'claude-code', env: process.env, input }, event === 'SessionEnd' ? end : start);
}

export interface Late {
  readonly answerWhole: typeof answerWhole;
}
