import { setTimeout } from 'node:timers/promises';
import { embedLater } from './compose/embed-later.ts';
import { isFile } from './compose/is-file.ts';
import { finishSessions, mendViewsAround } from './compose/finish.ts';
import { ON_INPUT, ONLY_VIEWS } from './compose/spawn-finish.ts';
import { readHookInput } from './compose/stdin.ts';
import { readCallText } from '../edges/hook/parse.ts';

/** A client that is about to leave still writes its last lines. */
const LAST_LINES_MS = 500;

async function transcriptOnInput(): Promise<string> {
  const call = readCallText('SessionEnd', await readHookInput());
  return (call.ok ? call.value.transcript : undefined) ?? '';
}

/** Finishes a session in the background, after its client has gone. */
export async function run(): Promise<void> {
  const [home = '', cwd = '', session = '', named = ''] = process.argv.slice(2);
  if (home === '' || cwd === '') return;
  if (named === ONLY_VIEWS) return mendViewsAround(home, cwd);
  const transcript = named === ON_INPUT ? await transcriptOnInput() : named;
  // A session that was never written down has left nothing to finish.
  if (named === ON_INPUT && transcript !== '' && !isFile(transcript)) return;
  if (session !== '') await setTimeout(LAST_LINES_MS);
  await finishSessions({ home, cwd, session, transcript }, process.env);
  // Once all of it is there.
  await (await import('./compose/answer-start.ts')).makeAhead(home, cwd);
  await embedLater(home, cwd, process.env);
}
