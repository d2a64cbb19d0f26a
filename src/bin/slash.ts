import { readFileSync } from 'node:fs';
import { placesIn } from '../adapters/files/home-layout.ts';
import { homeFolder } from '../adapters/process/environment.ts';
import { storeTypedWords, takeTypedWords } from '../adapters/process/typed-words.ts';
import { slashArguments } from '../edges/cli/slash.ts';

/** Runs a plugin's `/memory:WORD`. It always exits with 0, because the client hides the output of a command that fails. */
export async function run(): Promise<void> {
  const { env } = process;
  const [word = '', ...more] = process.argv.slice(2);
  const [{ ownState }, session] = [placesIn(homeFolder({ env })), env['CLAUDE_CODE_SESSION_ID']];
  // Called by the hook that runs before the command: stores the typed words.
  if (word === '--typed') return storeTypedWords(ownState, readFileSync(0, 'utf8'));
  const typed = takeTypedWords(ownState, session, word, Date.now()) ?? '';
  process.argv.splice(2, Infinity, ...slashArguments(word, typed, session), ...more);
  // An agent can run this too, so it gets no rights that only a person at a terminal has.
  env['HOLDFAST_SLASH'] = '1';
  process.on('exit', () => {
    process.exitCode = 0;
  });
  await (await import('./cli.ts')).run();
}
