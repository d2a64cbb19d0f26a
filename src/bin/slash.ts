import { readFileSync } from 'node:fs';
import { placesIn } from '../adapters/files/home-layout.ts';
import { homeFolder } from '../adapters/process/environment.ts';
import { storeTypedWords, takeTypedWords } from '../adapters/process/typed-words.ts';
import { slashArguments } from '../edges/cli/slash.ts';

/** Runs a plugin's `/memory:WORD`. The client hides the output of a command that fails, so a refusal is printed and the exit code is 0. */
export async function run(): Promise<void> {
  const { env } = process;
  const [word = '', ...more] = process.argv.slice(2);
  const [{ ownState }, session] = [placesIn(homeFolder({ env })), env['CLAUDE_CODE_SESSION_ID']];
  // The hook that runs before it stores the words.
  if (word === '--typed') return storeTypedWords(ownState, readFileSync(0, 'utf8'));
  const typed = takeTypedWords(ownState, session, word, Date.now()) ?? '';
  process.argv.splice(2, Infinity, ...slashArguments(word, typed, session), ...more);
  // Both the user and the agent can start this through the client, so it sets nothing that only a person at a terminal may set.
  env['HOLDFAST_SLASH'] = '1';
  process.on('exit', () => {
    process.exitCode = 0;
  });
  await (await import('./cli.ts')).run();
}
