import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import type { HookAnswer, HookCall } from '../../app/hooks/call.ts';
import { startSession } from '../../app/hooks/start.ts';
import { presentAnswer } from '../../edges/hook/present.ts';
import { isCurrent } from '../compose/ahead.ts';
import { type Answering, report, runHook } from '../compose/hook.ts';
import { openDesk, type Surroundings } from '../compose/hook-desk.ts';
import { keepAhead } from '../compose/keep-ahead.ts';
import { placesIn } from '../compose/places.ts';
import { type Trace, tracedDesk } from '../compose/traced.ts';

const folder = import.meta.dirname;
const CLIENT = 'claude-code';

interface Told {
  readonly answer: HookAnswer;
  /** Leaves it for the next session. */
  keep(): void;
}

async function tell(call: HookCall, cwd: string, around: Surroundings, isSaid: boolean): Promise<Told | undefined> {
  const since = around.now();
  const opened = openDesk(cwd, around);
  if (!opened) return undefined;
  const { desk, project, leave } = opened;
  const trace: Trace = { paths: new Set() };
  const { session, source } = call;
  let answer: HookAnswer;
  try {
    answer = await startSession(tracedDesk(desk, project.worktree, trace, isSaid), call);
  } finally {
    await leave();
  }
  const isNew = session !== undefined && (source === 'startup' || source === 'clear');
  const said = isNew && answer.context !== undefined ? { text: presentAnswer(call.event, answer), session, trace } : undefined;
  return { answer, keep: () => keepAhead({ home: around.home, cwd, project, since, folder, ...(said && { said }) }) };
}

/** The start of a session is waited for, so that it loads nothing but itself. */
const start: Answering = async (call, cwd, around) => {
  const told = await tell(call, cwd, around, true);
  return told && { ...told.answer, afterwards: told.keep };
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
      const told = await tell({ event: 'SessionStart', session: NOBODY, source: 'startup' }, cwd, { home, now: Date.now, client: CLIENT }, false);
      if (!told) return;
      told.keep();
    }
  } catch (cause) {
    report(new HookLogFolder(placesIn(home).hooks), { client: CLIENT, event: 'finish' }, cause, Date.now());
  }
}

export interface Late {
  readonly answerStart: typeof answerStart;
}
