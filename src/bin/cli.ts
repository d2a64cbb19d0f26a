import { isErrorTerminal, isTerminalOutput, showProgress, writeText } from '../adapters/process/output.ts';
import { workingFolder } from '../adapters/process/environment.ts';
import { main } from '../edges/cli/main.ts';
import { connectCli } from './wiring/cli-host.ts';

const note = (text: string): void => writeText(2, `${text}\n`);

/** Runs the command that `process.argv` names. */
export async function run(): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  const colours = process.env['NO_COLOR'] === undefined;
  try {
    process.exitCode = await main(
      process.argv.slice(2),
      {
        isTerminal: colours && isTerminalOutput(),
        isErrorTerminal: () => colours && isErrorTerminal(),
        out: (text) => writeText(1, text),
        err: (text) => writeText(2, text),
      },
      (options, paint) => connectCli({ env: process.env, cwd: workingFolder(process.env), closers, progress: showProgress, note }, options, paint),
    );
  } finally {
    for (const close of closers) {
      await close().catch((cause: unknown) => writeText(2, `note the index could not be updated: ${(cause as Error).message}\n`));
    }
  }
  // An orderly exit would take as long as the ranking of a search.
  if (process.argv.includes('search')) process.exit();
}
