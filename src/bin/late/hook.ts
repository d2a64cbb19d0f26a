import type { HookEvent } from '../../app/hooks/call.ts';
import { startSession } from '../../app/hooks/start.ts';
import { eventNamed } from '../../edges/hook/parse.ts';
import { openDesk } from '../compose/desk.ts';
import { type Answering, runHook } from '../compose/hook.ts';

/** The start of a session is waited for, so that it loads nothing but itself. */
const start: Answering = async (call, cwd, around) => {
  const opened = openDesk(cwd, around);
  if (!opened) return undefined;
  try {
    return await startSession(opened.desk, call);
  } finally {
    await opened.leave();
  }
};

async function run(): Promise<void> {
  const event: HookEvent = eventNamed(process.argv[2] ?? '') ?? 'SessionStart';
  await runHook({ event, client: 'claude-code', env: process.env }, event === 'SessionStart' ? start : async () => undefined);
}

void run();
