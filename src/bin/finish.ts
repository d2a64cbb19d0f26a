import { setTimeout } from 'node:timers/promises';
import { embedLater } from './compose/embed-later.ts';
import { finishSessions } from './compose/finish.ts';

const [home = '', cwd = '', session = '', transcript = ''] = process.argv.slice(2);

/** A client that is about to leave still writes its last lines. */
const LAST_LINES_MS = 500;

async function finish(): Promise<void> {
  if (session !== '') await setTimeout(LAST_LINES_MS);
  await finishSessions({ home, cwd, session, transcript }, process.env);
  // All that is to be told is there now: the next start finds it made.
  await (await import('./late/hook.ts')).makeAhead(home, cwd);
  await embedLater(home, cwd, process.env);
}

if (home !== '' && cwd !== '') void finish();
