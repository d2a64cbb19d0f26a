import { readFileSync } from 'node:fs';
import { slashArguments } from '../edges/cli/slash.ts';
import { runCached } from './compose/compile-cache.ts';

/** What a plugin's `/memory:WORD` runs. The client shows nothing of a command that fails, so a refusal is told and the exit code is 0. */
const [word = '', ...more] = process.argv.slice(2);
process.argv.splice(2, Infinity, ...slashArguments(word, readFileSync(0, 'utf8'), process.env['CLAUDE_CODE_SESSION_ID']), ...more);
process.on('exit', () => {
  process.exitCode = 0;
});
runCached(import.meta.dirname, 'late-cli.js', require, false);
