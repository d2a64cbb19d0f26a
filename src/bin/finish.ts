import { setTimeout } from 'node:timers/promises';
import { VIEWS_FLAG } from '../adapters/process/background.ts';
import { embedPendingIn } from './wiring/session/embed-pending.ts';
import { finishSessions, repairViewsAround } from './wiring/session/finish.ts';

/** A client that is about to leave still writes its last lines. */
const LAST_LINES_MS = 500;

/** Finishes a session in the background, after its client has gone. */
export async function run(): Promise<void> {
  const [home = '', cwd = '', session = '', transcript = ''] = process.argv.slice(2);
  if (home === '' || cwd === '') return;
  if (transcript === VIEWS_FLAG) return repairViewsAround(home, cwd);
  if (session !== '') await setTimeout(LAST_LINES_MS);
  await finishSessions({ home, cwd, session, transcript }, process.env);
  await embedPendingIn(home, cwd, process.env);
}
