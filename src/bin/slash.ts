import { readFileSync, writeSync } from 'node:fs';
import { CUT_OFF, slashArguments, typedWords } from '../edges/cli/slash.ts';

/** What a plugin's `/memory:WORD` runs. The client shows nothing of a command that fails, so a refusal is printed and the exit code is 0. */
export async function run(): Promise<void> {
  const [word = '', ...more] = process.argv.slice(2);
  const typed = typedWords(readFileSync(0, 'utf8'));
  if (typed === undefined) {
    writeSync(2, CUT_OFF);
    return;
  }
  process.argv.splice(2, Infinity, ...slashArguments(word, typed, process.env['CLAUDE_CODE_SESSION_ID']), ...more);
  // The client runs this for its user, and its agent can too: what only a person at a terminal sets is not set here.
  process.env['HOLDFAST_SLASH'] = '1';
  process.on('exit', () => {
    process.exitCode = 0;
  });
  await (await import('./cli.ts')).run();
}
