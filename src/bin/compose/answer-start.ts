import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import type { HookCall } from '../../app/hooks/call.ts';
import { startSession } from '../../app/hooks/start.ts';
import { presentAnswer } from '../../edges/hook/present.ts';
import { isCurrent } from './ahead.ts';
import { type Answering, report, runHook } from './hook.ts';
import { openDesk, type OpenDesk } from './hook-desk.ts';
import { keepAhead } from './keep-ahead.ts';
import { placesIn } from './places.ts';
import { mendElsewhere } from './spawn-finish.ts';
import { startingLog } from './starting-log.ts';
import { type Trace, tracedDesk } from './traced.ts';

const folder = import.meta.dirname;
const CLIENT = 'claude-code';

const isNew = ({ session, source }: HookCall): boolean => session !== undefined && (source === 'startup' || source === 'clear');

/** The start of a session is waited for, so that it loads and does nothing but what it says. */
const start: Answering = async (call, cwd, around) => {
  const opened = openDesk(cwd, { ...around, late: mendElsewhere(around.home, cwd, process.env) });
  if (!opened) return undefined;
  const { desk, project, leave } = opened;
  const log = startingLog(desk.bearings.log, placesIn(around.home).state(project.key), isNew(call));
  try {
    return await startSession({ ...desk, bearings: { ...desk.bearings, log } }, call);
  } finally {
    await leave();
  }
};

/** The whole way, for what could not be answered by a look at a few files. */
export async function answerStart(input: string): Promise<void> {
  await runHook({ event: 'SessionStart', client: CLIENT, env: process.env, input }, start);
}

/** As long as the ids that the client gives, and nobody's. */
const NOBODY = '00000000-0000-4000-8000-000000000000';
/** What was written just now is not trusted to be whole. */
const QUIET_MS = 1_200;
/** Looking at a memory may mend its views, which is a change as well. */
const TRIES = 3;

/** Makes what the next session in a folder is told, unless that lies there already; for a process that nobody waits for. */
export async function makeAhead(home: string, cwd: string): Promise<void> {
  try {
    for (let left = TRIES; left > 0 && !isCurrent(home, cwd, folder, Date.now()); left--) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      const opened = openDesk(cwd, { home, now: Date.now, client: CLIENT });
      if (!opened) return;
      try {
        await leaveAhead(opened, home, cwd);
      } finally {
        await opened.leave();
      }
    }
  } catch (cause) {
    report(new HookLogFolder(placesIn(home).hooks), { client: CLIENT, event: 'finish' }, cause, Date.now());
  }
}

async function leaveAhead({ desk, project }: OpenDesk, home: string, cwd: string): Promise<void> {
  const since = Date.now();
  const trace: Trace = { paths: new Set() };
  const call: HookCall = { event: 'SessionStart', session: NOBODY, source: 'startup' };
  const answer = await startSession(tracedDesk(desk, project.worktree, trace), call);
  const said = answer.context === undefined ? undefined : { text: presentAnswer(call.event, answer), session: NOBODY, trace };
  keepAhead({ home, cwd, project, since, folder, ...(said && { said }) });
}
